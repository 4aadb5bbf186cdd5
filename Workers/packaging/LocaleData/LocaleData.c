#include "LocaleData.h"

/* A package of ICU's common data with no item in it: header, then the number of items.
   https://unicode-org.github.io/icu/userguide/icu_data/#icu-data-file-formats */
const unsigned char icudt76_dat[] __attribute__((aligned(16))) = {
    32,  0,    0xDA, 0x27,            /* the header's size, and what marks it */
    20,  0,    0,    0,    0, 0, 2, 0, /* size of the description; little-endian, ASCII, 16-bit characters */
    'C', 'm',  'n',  'D',             /* the format: common data, */
    1,   0,    0,    0,               /* in its first version, */
    76,  1,    0,    0,               /* for this version of ICU */
    0,   0,    0,    0,    0, 0, 0, 0, /* up to the header's size */
    0,   0,    0,    0,               /* no items */
};
