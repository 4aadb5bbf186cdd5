import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import strata_store_probe

/// A program with a mapping model next to it.
@Suite struct MappingProcessTests {
  /// Sets every title to "staged", unlike an inferred mapping.
  private func mapping() -> Data {
    var archive = MappingArchive()
    let (old, new) = (Migrant.model(isNew: false).entitiesByName, Migrant.model(isNew: true).entitiesByName)
    for name in ["Event", "Alarm"] {
      archive.add(
        MappingArchive.Entity(
          old: old[name], new: new[name],
          attributes: [("number", archive.source("number")), ("title", archive.text("staged"))]))
    }
    return archive.bytes()
  }

  @Test(arguments: ["", "Other_Migrant.resources"])
  func `a mapping model next to the program migrates an old store`(resources: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("migrant-\(UUID().uuidString)")
    let resourceFolder = folder.appendingPathComponent(resources, isDirectory: true)
    try FileManager.default.createDirectory(at: resourceFolder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appendingPathComponent("strata-store-probe")
    try FileManager.default.copyItem(
      at: Bundle.main.bundleURL.appendingPathComponent("strata-store-probe"), to: program)
    try Migrant.make(in: folder, 10)
    try mapping().write(to: resourceFolder.appendingPathComponent("Migrant.cdm"))
    try Data().write(to: folder.appendingPathComponent("go"))
    let output = Pipe()
    let process = try SpawnedProcess(
      program.path, ["migrate", folder.path, "0"], output: output.fileHandleForWriting)
    try output.fileHandleForWriting.close()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(lines == "ready\n5 5 45 10\n" && process.status() == 0)
  }
}
