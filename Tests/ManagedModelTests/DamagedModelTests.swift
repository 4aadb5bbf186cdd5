import Foundation
import StrataFormats
import StrataManagedModel
import StrataModelSource
import StrataTestSupport
import Testing

@testable import StrataManagedModel

/// Damaged models are rejected or partly read; no file contents crash the program.
@Suite struct DamagedModelTests {
  private static let source = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Event" isAbstract="YES">
            <attribute name="code" attributeType="String" minValueString="1" regularExpressionString="[a-z]+"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <entity name="Quake" parentEntity="Event" renamingIdentifier="Shock">
            <attribute name="depth" optional="YES" attributeType="Double" defaultValueString="3.5"/>
            <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
            <attribute name="time" attributeType="Date" defaultDateTimeInterval="700000000"/>
            <relationship name="region" optional="YES" maxCount="1" destinationEntity="Region" inverseName="quakes"
                inverseEntity="Region"/>
            <fetchIndex name="byDepth"><fetchIndexElement property="depth" type="Binary" order="ascending"/></fetchIndex>
            <userInfo><entry key="note" value="text"/></userInfo>
        </entity>
        <entity name="Region">
            <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES"
                derivationExpression="quakes.@count"/>
            <relationship name="quakes" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade"
                destinationEntity="Quake" inverseName="region" inverseEntity="Quake"/>
        </entity>
        <composite name="Place"><attribute name="latitude" attributeType="Double"/></composite>
        <fetchRequest name="Deep" entity="Quake"
            predicateString="(depth &gt; 3 AND code IN {'a', 'b'}) OR SUBQUERY(region.quakes, $q, $q.depth &gt; 1).@count &gt; 2"/>
        <configuration name="Places"><memberEntity name="Region"/></configuration>
    </model>
    """

  /// Truncated copies and copies with changed bytes; deterministic.
  private func damaged(_ bytes: [UInt8], _ count: Int) -> [[UInt8]] {
    var random = SeededRandom(seed: 1)
    let cuts = (0..<40).map { Array(bytes.prefix(bytes.count * $0 / 40)) }
    return cuts
      + (0..<count).map { number in
        var copy = bytes
        for _ in 0..<1 + number % 6 {
          copy[Int.random(in: copy.indices, using: &random)] = .random(in: .min ... .max, using: &random)
        }
        return copy
      }
  }

  /// Returns the number of copies that were read and the number that were rejected.
  private func use(_ copies: [[UInt8]], _ read: ([UInt8]) throws -> NSManagedObjectModel) -> (used: Int, refused: Int) {
    var (used, refused) = (0, 0)
    for copy in copies {
      do {
        let model = try read(copy)
        model.freeze()
        #expect(model.entityVersionHashesByName.count == model.entities.count)
        used += 1
      } catch {
        #expect(error is FileFormatError)
        refused += 1
      }
    }
    return (used, refused)
  }

  @Test func `damaged sources are read or refused`() throws {
    let rounds = Thoroughness.repetitions(150, all: 500)
    let copies = damaged(Array(Self.source.utf8), rounds)
    let result = use(copies) { try ModelDocument(contents: $0, file: "contents").makeModel().model }
    #expect(result.used > rounds / 10 && result.refused > rounds / 10)
  }

  @Test func `damaged archives are read or refused`() throws {
    let model = try ModelDocument(contents: Array(Self.source.utf8), file: "contents").makeModel().model
    let cache = try model.cache()
    let mom = try #require(Inflate.unpack(cache))
    let rounds = Thoroughness.repetitions(150, all: 500)
    let result = use(damaged(mom, rounds)) { try NSManagedObjectModel.model(mom: $0, file: "Test.mom").model }
    #expect(result.used > rounds / 10 && result.refused > rounds / 10)
    let packed = use(damaged(cache, rounds / 5 * 2)) {
      try NSManagedObjectModel.model(cache: $0, file: "Test.sqlite").model
    }
    #expect(packed.refused > rounds / 25 * 2)
  }

  @Test func `excessive nesting of elements is refused`() {
    let text = String(repeating: "<a>", count: 100_000)
    #expect(throws: FileFormatError.self) { try ModelDocument(contents: Array(text.utf8), file: "contents") }
  }
}
