import Foundation
import StrataFormats
import StrataManagedModel
import Testing

/// Models in files and folders.
@Suite struct ModelFileTests {
  private func write(_ text: String, _ path: String, in folder: URL) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func contents(_ entity: String) -> String { "<model><entity name=\"\(entity)\"/></model>" }

  private func current(_ name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
    """
  }

  @Test func `a folder's current version is the model`() throws {
    try withTemporaryFolder { folder in
      try write(contents("Old"), "Quakes.xcdatamodeld/Quakes.xcdatamodel/contents", in: folder)
      try write(contents("New"), "Quakes.xcdatamodeld/Quakes 2.xcdatamodel/contents", in: folder)
      try write(current("Quakes 2.xcdatamodel"), "Quakes.xcdatamodeld/.xccurrentversion", in: folder)
      let url = folder.appendingPathComponent("Quakes.xcdatamodeld")
      #expect(NSManagedObjectModel(contentsOf: url)?.entities.map(\.name) == ["New"])
      let old = url.appendingPathComponent("Quakes.xcdatamodel")
      #expect(NSManagedObjectModel(contentsOf: old)?.entities.map(\.name) == ["Old"])
      let checksums = try NSManagedObjectModel.__checksumsForVersionedModel(at: url)
      #expect(checksums.keys.sorted() == ["Quakes", "Quakes 2"])
      #expect(checksums["Quakes"] == NSManagedObjectModel(contentsOf: old)?.versionChecksum)
    }
  }

  /// Opening a FIFO would wait for a writer.
  @Test func `a FIFO is not a model`() throws {
    try withTemporaryFolder { folder in
      for name in ["Model.xcdatamodel/contents", "Model.mom", "Model.momd/VersionInfo.plist"] {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try #require(mkfifo(file.path, 0o600) == 0)
        let model = file.lastPathComponent == "Model.mom" ? file : file.deletingLastPathComponent()
        #expect(NSManagedObjectModel(contentsOf: model) == nil)
      }
    }
  }

  @Test func `a single version is current by default`() throws {
    try withTemporaryFolder { folder in
      try write(contents("Only"), "Model.xcdatamodeld/Model.xcdatamodel/contents", in: folder)
      let url = folder.appendingPathComponent("Model.xcdatamodeld")
      #expect(NSManagedObjectModel(contentsOf: url)?.entities.map(\.name) == ["Only"])
    }
  }

  @Test func `an invalid model file returns nil`() throws {
    try withTemporaryFolder { folder in
      try write(contents("A"), "Two.xcdatamodeld/A.xcdatamodel/contents", in: folder)
      try write(contents("B"), "Two.xcdatamodeld/B.xcdatamodel/contents", in: folder)
      try write("<model><entity/></model>", "Broken.xcdatamodel/contents", in: folder)
      try write("bplist00", "Broken.mom", in: folder)
      try write("bplist00", "Ancient.xcdatamodel/elements", in: folder)
      for name in ["Two.xcdatamodeld", "Broken.xcdatamodel", "Broken.mom", "Ancient.xcdatamodel", "Gone.momd"] {
        #expect(NSManagedObjectModel(contentsOf: folder.appendingPathComponent(name)) == nil, "\(name)")
      }
      #expect(throws: FileFormatError.self) {
        try NSManagedObjectModel.__checksumsForVersionedModel(at: folder.appendingPathComponent("Gone.momd"))
      }
    }
  }

  @Test func `a bundle's models are merged and found by metadata`() throws {
    try withTemporaryFolder { folder in
      try write(contents("Old"), "Quakes.xcdatamodeld/Quakes.xcdatamodel/contents", in: folder)
      try write(contents("New"), "Quakes.xcdatamodeld/Quakes 2.xcdatamodel/contents", in: folder)
      try write(current("Quakes 2.xcdatamodel"), "Quakes.xcdatamodeld/.xccurrentversion", in: folder)
      try write(contents("Place"), "Places.xcdatamodel/contents", in: folder)
      let bundle = try #require(Bundle(path: folder.path))
      let merged = NSManagedObjectModel.mergedModel(from: [bundle])
      #expect(merged?.entities.compactMap(\.name).sorted() == ["New", "Place"])
      #expect(NSManagedObjectModel.model(named: "Places", in: bundle)?.entities.map(\.name) == ["Place"])
      let old = try model("<entity name=\"Old\"/>")
      let metadata = [NSStoreModelVersionHashesKey: old.entityVersionHashesByName]
      let found = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
      #expect(found?.entities.map(\.name) == ["Old"])
      let gone = [NSStoreModelVersionHashesKey: ["Gone": Data(count: 32)]]
      #expect(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: gone) == nil)
    }
  }
}
