import CoreData
import RollingUpgrade

// The new version, whose model has one more attribute. Opening the store migrates it.

do {
  let container = try VisitorsContainer.open(modelIn: Bundle.module)
  print("Version 2: \(try container.addVisit(["visitor": "Ada"])) visits")
} catch {
  FileHandle.standardError.write(Data("visitors-2: \(error.localizedDescription)\n".utf8))
  exit(1)
}
