import CoreData
import RollingUpgrade

// The old version of a program, which runs until a newer one replaces it. The service manager, such as systemd with
// `Restart=always`, then starts the newer version.

/// Prints the error and ends the program.
func stop(_ reason: any Error) -> Never {
  FileHandle.standardError.write(Data("visitors-1: \(reason.localizedDescription)\n".utf8))
  exit(1)
}

// Global, so that the store stays open until the process ends.
let container: VisitorsContainer
do { container = try VisitorsContainer.open(modelIn: Bundle.module) } catch { stop(error) }

// Registered before the first save, so that no migration is missed.
container.whenMigrated {
  print("A newer version has migrated the store; this one ends.")
  exit(0)
}
do { print("Version 1: \(try container.addVisit()) visits") } catch { stop(error) }
fflush(nil)
dispatchMain()
