#if !__has_include(<cairo/cairo.h>) || !__has_include(<fontconfig/fontconfig.h>)
#error "Quakes needs the headers of cairo and fontconfig: apt install libcairo2-dev"
#else
#include <cairo/cairo.h>
#include <fontconfig/fontconfig.h>
#endif
