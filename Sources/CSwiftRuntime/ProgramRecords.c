#define _GNU_SOURCE
#include "CSwiftRuntime.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

/// A note in an image, as gabi 4.1 has it: a name, padding, a description, padding. Generated code contains notes with
/// the name "StrataModel", of type 1, whose description is the address of a function. See `_ProgramRecord`.
struct note { uint32_t name_size, content_size, type; };

static const char record_name[12] = "StrataModel";
enum { record_type = 1 };

struct search { strata_registration_visitor body; void *context; };

static size_t aligned(size_t size, size_t alignment) { return (size + alignment - 1) / alignment * alignment; }

/// Visits the records of one segment. A note that does not fit ends the visit: what follows cannot be read.
static void look(const char *start, size_t size, size_t alignment, const struct search *search) {
  size_t place = 0;
  while (size - place >= sizeof(struct note)) {
    struct note note;
    memcpy(&note, start + place, sizeof note);
    size_t content = aligned(sizeof note + (size_t)note.name_size, alignment);
    size_t end = aligned(content + note.content_size, alignment);
    if (end > size - place) return;
    if (note.name_size == sizeof record_name && note.type == record_type
        && note.content_size == sizeof(strata_registration)
        && !memcmp(start + place + sizeof note, record_name, sizeof record_name)) {
      strata_registration registration;
      memcpy(&registration, start + place + content, sizeof registration);
      search->body(registration, search->context);
    }
    place += end;
  }
}

static int look_in_image(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  for (size_t number = 0; number < image->dlpi_phnum; number++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[number];
    if (segment->p_type != PT_NOTE) continue;
    look((const char *)(image->dlpi_addr + segment->p_vaddr), segment->p_memsz, segment->p_align < 8 ? 4 : 8, context);
  }
  return 0;
}

void strata_each_registration(strata_registration_visitor body, void *context) {
  struct search search = {body, context};
  dl_iterate_phdr(look_in_image, &search);
}

static int count_images(struct dl_phdr_info *image, size_t size, void *count) {
  // An older C library may not tell.
  if (size >= offsetof(struct dl_phdr_info, dlpi_adds) + sizeof image->dlpi_adds) {
    *(uint64_t *)count = image->dlpi_adds;
  }
  return 1;
}

uint64_t strata_loaded_images(void) {
  uint64_t count = 0;
  dl_iterate_phdr(count_images, &count);
  return count;
}
