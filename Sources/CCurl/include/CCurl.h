#ifndef CCURL_H
#define CCURL_H

// One HTTP GET through libcurl, with limits. Swift cannot call curl_easy_setopt, which is variadic.

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define CCURL_NULLABLE _Nullable
#else
#define CCURL_NULLABLE
#endif

#define CCURL_TEXT_SIZE 256

typedef struct {
  const char *user_agent;
  const char *CCURL_NULLABLE if_none_match;
  const char *CCURL_NULLABLE if_modified_since;
  long connect_timeout_ms;
  long total_timeout_ms;
  long max_redirects;
  // Limit of the decompressed body: a small gzip may expand to a large one.
  size_t max_bytes;
} ccurl_request;

typedef enum {
  ccurl_ok = 0,
  ccurl_failed = 1,
  ccurl_too_large = 2,
  ccurl_timed_out = 3,
  ccurl_too_many_redirects = 4,
  ccurl_cancelled = 5,
  ccurl_no_memory = 6,
  ccurl_bad_address = 7,
} ccurl_outcome;

typedef struct {
  ccurl_outcome outcome;
  // The body; freed by ccurl_response_free.
  uint8_t *CCURL_NULLABLE bytes;
  size_t count;
  // The HTTP status of the last response, 0 if there was none.
  long status;
  // Seconds of a Retry-After header, 0 if absent.
  long retry_after;
  // libcurl's error message, without a full stop.
  char error[CCURL_TEXT_SIZE];
  char etag[CCURL_TEXT_SIZE];
  char last_modified[CCURL_TEXT_SIZE];
} ccurl_response;

// Performs a GET (http and https only, also after a redirect) and blocks until it completes, fails or is cancelled.
void ccurl_get(const char *url, const ccurl_request *request, ccurl_response *response);

void ccurl_response_free(ccurl_response *response);

// Cancels all transfers of this process within about a second, and prevents new ones. Async-signal-safe.
void ccurl_cancel_all(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
