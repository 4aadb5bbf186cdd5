import CoreData
import RollingUpgrade

// The old version of a program that runs until a newer one takes over. Whatever started it, such as systemd with
// `Restart=always`, starts the newer one then.

/// Prints why the program gives up, and ends it.
func stop(_ reason: any Error) -> Never {
  FileHandle.standardError.write(Data("visitors-1: \(reason.localizedDescription)\n".utf8))
  exit(1)
}

// Global: the store is open for as long as the process runs.
let container: VisitorsContainer
do { container = try VisitorsContainer.open(modelIn: Bundle.module) } catch { stop(error) }

// Before the first save, so that no migration is missed.
container.whenMigrated {
  print("A newer version has migrated the store; this one ends.")
  exit(0)
}
do { print("Version 1: \(try container.addVisit()) visits") } catch { stop(error) }
fflush(nil)
dispatchMain()
