#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/// Makes the calling thread, and no other one, act as another user. Returns 0, or -1 with errno.
///
/// The function of the C library changes all threads of the process.
static inline long set_thread_user(uid_t user) { return syscall(SYS_setresuid, user, user, user); }
