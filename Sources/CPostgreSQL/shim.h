// Where Debian and Ubuntu put it, or on the compiler's path.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#error "Strata's tests need the headers of libpq: apt install libpq-dev"
#endif
