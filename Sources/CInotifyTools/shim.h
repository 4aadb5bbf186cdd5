#if !__has_include(<inotifytools/inotifytools.h>)
#error "Strata needs the headers of inotify-tools: apt install libinotifytools0-dev"
#else
#include <inotifytools/inotifytools.h>
#include <inotifytools/inotify.h>
#endif
