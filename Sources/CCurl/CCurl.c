#include "CCurl.h"

#if !__has_include(<curl/curl.h>)
#error "quakes-fetch needs the headers of libcurl: apt install libcurl4-openssl-dev"
#else
#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static volatile sig_atomic_t cancelled = 0;

void ccurl_cancel_all(void) { cancelled = 1; }

// curl_global_init is not thread-safe in older versions of the library.
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void initialise(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

typedef struct {
  ccurl_response *response;
  size_t capacity;
  size_t limit;
} body_sink;

// Appends to the body, doubling its capacity; a short count makes libcurl abort the transfer.
static size_t receive_body(char *bytes, size_t size, size_t number, void *context) {
  body_sink *sink = context;
  ccurl_response *response = sink->response;
  size_t count = size * number;
  if (count > sink->limit - response->count) {
    response->outcome = ccurl_too_large;
    return 0;
  }
  if (response->count + count > sink->capacity) {
    size_t capacity = sink->capacity ? sink->capacity : 64 * 1024;
    while (capacity < response->count + count) capacity *= 2;
    uint8_t *grown = realloc(response->bytes, capacity);
    if (!grown) {
      response->outcome = ccurl_no_memory;
      return 0;
    }
    response->bytes = grown;
    sink->capacity = capacity;
  }
  memcpy(response->bytes + response->count, bytes, count);
  response->count += count;
  return count;
}

// Copies the trimmed value of a header if the line is that header.
static void copy_header(const char *line, size_t length, const char *name, char *value) {
  size_t name_length = strlen(name);
  if (length <= name_length || strncasecmp(line, name, name_length) != 0) return;
  const char *start = line + name_length, *end = line + length;
  while (start < end && (*start == ' ' || *start == '\t')) start++;
  while (end > start && (end[-1] == '\r' || end[-1] == '\n' || end[-1] == ' ')) end--;
  size_t count = (size_t)(end - start);
  if (count >= CCURL_TEXT_SIZE) return;
  memcpy(value, start, count);
  value[count] = 0;
}

static size_t receive_header(char *line, size_t size, size_t number, void *context) {
  ccurl_response *response = context;
  size_t length = size * number;
  char retry_after[CCURL_TEXT_SIZE] = "";
  if (length > 5 && strncasecmp(line, "HTTP/", 5) == 0) {
    // A redirect's headers are not those of the response.
    response->etag[0] = response->last_modified[0] = 0;
    response->retry_after = 0;
  }
  copy_header(line, length, "ETag:", response->etag);
  copy_header(line, length, "Last-Modified:", response->last_modified);
  copy_header(line, length, "Retry-After:", retry_after);
  if (retry_after[0]) response->retry_after = strtol(retry_after, NULL, 10);
  return length;
}

static int check_cancelled(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)context, (void)a, (void)b, (void)c, (void)d;
  return cancelled;
}

static struct curl_slist *append_condition(struct curl_slist *headers, const char *name, const char *value) {
  if (!value) return headers;
  char line[2 * CCURL_TEXT_SIZE];
  size_t name_length = strlen(name), value_length = strlen(value);
  if (name_length + value_length >= sizeof line) return headers;
  memcpy(line, name, name_length);
  memcpy(line + name_length, value, value_length + 1);
  struct curl_slist *longer = curl_slist_append(headers, line);
  return longer ? longer : headers;
}

static void set_options(CURL *handle, const char *url, const ccurl_request *request) {
  curl_easy_setopt(handle, CURLOPT_URL, url);
  curl_easy_setopt(handle, CURLOPT_USERAGENT, request->user_agent);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(handle, CURLOPT_MAXREDIRS, request->max_redirects);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, request->total_timeout_ms);
  curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static ccurl_outcome outcome_of(CURLcode code) {
  switch (code) {
    case CURLE_OK: return ccurl_ok;
    case CURLE_OPERATION_TIMEDOUT: return ccurl_timed_out;
    case CURLE_TOO_MANY_REDIRECTS: return ccurl_too_many_redirects;
    case CURLE_ABORTED_BY_CALLBACK: return ccurl_cancelled;
    case CURLE_FILESIZE_EXCEEDED: return ccurl_too_large;
    case CURLE_OUT_OF_MEMORY: return ccurl_no_memory;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return ccurl_bad_address;
    default: return ccurl_failed;
  }
}

void ccurl_get(const char *url, const ccurl_request *request, ccurl_response *response) {
  memset(response, 0, sizeof *response);
  if (cancelled) {
    response->outcome = ccurl_cancelled;
    return;
  }
  pthread_once(&once, initialise);
  CURL *handle = curl_easy_init();
  if (!handle) {
    response->outcome = ccurl_no_memory;
    return;
  }
  char error[CURL_ERROR_SIZE] = "";
  body_sink sink = {response, 0, request->max_bytes};
  struct curl_slist *headers = append_condition(NULL, "If-None-Match: ", request->if_none_match);
  headers = append_condition(headers, "If-Modified-Since: ", request->if_modified_since);
  set_options(handle, url, request);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive_body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &sink);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, receive_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, response);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, check_cancelled);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  CURLcode code = curl_easy_perform(handle);
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &response->status);
  // If the write callback aborted the transfer, keep its reason; libcurl reports only a write error.
  if (response->outcome == ccurl_ok) response->outcome = outcome_of(code);
  if (code != CURLE_OK) strncpy(response->error, error[0] ? error : curl_easy_strerror(code), CCURL_TEXT_SIZE - 1);
  curl_slist_free_all(headers);
  curl_easy_cleanup(handle);
}

void ccurl_response_free(ccurl_response *response) {
  free(response->bytes);
  response->bytes = NULL;
  response->count = 0;
}

#endif
