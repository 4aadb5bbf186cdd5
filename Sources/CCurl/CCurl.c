#include "CCurl.h"

CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_receiver(
  CURL *handle, CURLoption option, size_t (*receiver)(char *bytes, size_t size, size_t count, void *context)) {
  return curl_easy_setopt(handle, option, receiver);
}

CURLcode ccurl_allow_http_only(CURL *handle, bool redirects_need_tls) {
#if LIBCURL_VERSION_NUM >= 0x075500
  CURLcode code = curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  return code ? code : curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, redirects_need_tls ? "https" : "http,https");
#else
  CURLcode code = curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  long redirects = redirects_need_tls ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS;
  return code ? code : curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, redirects);
#endif
}

void ccurl_end_quickly(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)handle;
#endif
}

long ccurl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

CURLcode ccurl_socket(CURL *handle, curl_socket_t *socket) {
  return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, socket);
}
