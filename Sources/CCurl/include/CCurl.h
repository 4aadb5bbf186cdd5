#ifndef CCURL_H
#define CCURL_H

// The headers of libcurl and Linux for the fetch worker, and the variadic functions of libcurl, which Swift cannot
// call.

#if !__has_include(<curl/curl.h>)
#error "quakes-fetch needs the headers of libcurl: apt install libcurl4-openssl-dev"
#else
#include <curl/curl.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value);

CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value);

CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value);

// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
CURLcode ccurl_set_receiver(
  CURL *handle, CURLoption option, size_t (*receiver)(char *bytes, size_t size, size_t count, void *context));

// Allows http and https only; after a redirect, perhaps https only.
CURLcode ccurl_allow_http_only(CURL *handle, bool redirects_need_tls);

// Keeps the handle's end from waiting for a running name resolution, if the library can.
void ccurl_end_quickly(CURL *handle);

// The HTTP status of the last response, 0 without a response.
long ccurl_status(CURL *handle);

// The socket of a handle that only connects.
CURLcode ccurl_socket(CURL *handle, curl_socket_t *socket);
#endif

#endif
