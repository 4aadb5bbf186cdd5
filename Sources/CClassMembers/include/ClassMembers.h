#ifndef CLASSMEMBERS_H
#define CLASSMEMBERS_H

#include <CSwiftRuntime.h>

/// `validateValue(_:forKey:)` of a managed object.
strata_member strata_validate_value(void);

/// `init(concurrencyType:)` of a context.
strata_member strata_context_init(void);

/// `init(managedObjectModel:)` of a coordinator.
strata_member strata_coordinator_init(void);

/// `init(name:managedObjectModel:)` of a container.
strata_member strata_container_init(void);

#endif
