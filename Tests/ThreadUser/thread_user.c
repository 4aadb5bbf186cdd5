#include "thread_user.h"
