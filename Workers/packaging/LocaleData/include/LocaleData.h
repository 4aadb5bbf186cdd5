/* Stands for the 33 MB of data about languages and regions that Foundation links: half of a program that is handed out.
   The programs of Quakes format numbers, dates and texts themselves and never open it. */
extern const unsigned char icudt76_dat[];
