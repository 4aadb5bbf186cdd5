import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// A key path, read on probes of one entity.
struct KeyPathReading {
  let keyPath: AnyKeyPath
  let layout: EntityLayout
  let model: NSManagedObjectModel

  init(_ keyPath: AnyKeyPath, of layout: EntityLayout, in model: NSManagedObjectModel) {
    self.keyPath = keyPath
    self.layout = layout
    self.model = model
  }

  private struct Finding {
    var reads: [KeyPathProbe.Read]
    /// The last property read, if all others lead to its object.
    var property: NSPropertyDescription?
    /// Whether the result is the property's own value.
    var isUnchanged: Bool
    /// Whether the result is the object itself or its ID.
    var isIdentity = false
    /// The result for nil, read without marks.
    var value: PredicateValue?
  }

  func path() throws(UnreadableKeyPathError) -> PropertyPath {
    if let type = keyPath.plainValueType as? any RawRepresentable.Type { return try path(toValuesOf: type) }
    guard takesMarks else { return try accepted(find(.none)) }
    let first = find(.marks(base: 0, flag: false))
    let second = find(.marks(base: 11_117, flag: true))
    guard first.reads == second.reads else { throw unreadable("What it reads depends on values.") }
    return try accepted(
      Finding(
        reads: first.reads, property: first.property, isUnchanged: first.isUnchanged && second.isUnchanged,
        isIdentity: first.isIdentity))
  }

  /// Returns the path of a property that returns each raw value as it is stored. The getter meets only values that the
  /// type accepts, because it may stop the program for others.
  private func path<Value: RawRepresentable>(
    toValuesOf type: Value.Type
  ) throws(UnreadableKeyPathError) -> PropertyPath {
    let samples = samples(of: type)
    var finding = find(samples.first.map { .raw($0) } ?? .none)
    guard let attribute = finding.property as? NSAttributeDescription, !attribute.attributeType.isOpaque else {
      return try accepted(finding)
    }
    let storable = samples.filter { KeyPathProbe.Marking.raw($0, SlotKind(attribute.attributeType)) != nil }
    guard samples.count > 1 || RawValueSamples.areAll(of: type) else {
      throw unreadable("Whether it computes a \(type) shows in too few values: declare that type as CaseIterable.")
    }
    let suffices = storable.count > 1 || storable.count == 1 && RawValueSamples.areAll(of: type)
    finding.isUnchanged =
      suffices
      && storable.allSatisfy { sample in
        let next = find(.raw(sample))
        return next.isUnchanged && next.reads == finding.reads
      }
    if finding.isUnchanged, attribute.isOptional, !keyPath.isOptional {
      finding.value = find(.none).value
    }
    return try accepted(finding)
  }

  private func samples<Value: RawRepresentable>(of type: Value.Type) -> [PredicateValue] {
    RawValueSamples.of(type).compactMap { PredicateValue(argument: $0.rawValue) }
  }

  /// Returns the paths of all properties read; for those behind a to-many relationship, the path of the relationship.
  func readPaths() -> [[String]] {
    let sample = (keyPath.plainValueType as? any RawRepresentable.Type).flatMap { samples(of: $0).first }
    return KeyPathProbe.read(keyPath, of: layout, in: model, marking: sample.map { .raw($0) } ?? .none) { _, _, probe in
      probe.reads.compactMap { read in
        guard let path = probe.path(to: read.object).map({ $0 + [read] }) else { return nil }
        let end = path.firstIndex(where: \.isToMany).map { $0 + 1 } ?? path.count
        return path[..<end].map(\.property)
      }
    }
  }

  /// Whether the property's type accepts every value, as one of the program's own may not.
  private var takesMarks: Bool {
    let type = keyPath.plainValueType
    return type is AnyObject.Type || !isOpaque(type)
  }

  /// Whether the key path is known to be that of a computed property with another name than the one that it reads.
  private func isComputed(from property: NSPropertyDescription) -> Bool {
    guard let root = type(of: keyPath).rootType as? AnyClass else { return false }
    return ComputedProperties.name(of: keyPath, from: root).map { $0 != property.name } ?? false
  }

  /// Whether only a transformable attribute can hold a type.
  private func isOpaque(_ type: Any.Type) -> Bool {
    let plain: [Any.Type] = [
      String.self, Bool.self, Double.self, Float.self, Date.self, Data.self, UUID.self, URL.self, Decimal.self,
    ]
    return !plain.contains { $0 == type } && !(type is any BinaryInteger.Type) && !(type is any Collection.Type)
  }

  private func find(_ marking: KeyPathProbe.Marking) -> Finding {
    KeyPathProbe.read(keyPath, of: layout, in: model, marking: marking) { value, root, probe in
      var finding = Finding(reads: probe.reads, property: nil, isUnchanged: false)
      if let id = value as? NSManagedObjectID {
        finding.isIdentity = probe.path(to: id.rowID) == probe.reads
        return finding
      }
      guard let last = probe.reads.last, let object = probe.object(last.object),
        probe.path(to: last.object).map({ $0 + [last] }) == probe.reads
      else { return finding }
      finding.property = object.layout.entity.propertiesByName[last.property]
      finding.isUnchanged = object.isUnchanged(value, of: last.property, in: probe)
      if case .none = marking { finding.value = value.flatMap(PredicateValue.init(raw:)) }
      return finding
    }
  }

  private func accepted(_ finding: Finding) throws(UnreadableKeyPathError) -> PropertyPath {
    let names = finding.reads.map(\.property)
    if finding.isIdentity { return PropertyPath(names) }
    guard !names.isEmpty else { throw unreadable("It reads no property.") }
    guard !finding.reads.dropLast().contains(where: \.isToMany) else {
      throw unreadable("It takes a member out of a to-many relationship.")
    }
    guard let property = finding.property else {
      throw unreadable("It reads \(names.joined(separator: ", ")), which is more than one property.")
    }
    let attribute = property as? NSAttributeDescription
    // A value that cannot be marked.
    let isOpaque = attribute.map { $0.attributeType.isOpaque && !isComputed(from: $0) } ?? false
    guard finding.isUnchanged || isOpaque else {
      throw unreadable("It computes its value from \(names.joined(separator: ".")).")
    }
    let mayBeNil = attribute?.isOptional == true && !keyPath.isOptional
    return PropertyPath(names, nilValue: mayBeNil ? keyPath.zero ?? finding.value : nil)
  }

  private func unreadable(_ reason: String) -> UnreadableKeyPathError {
    UnreadableKeyPathError(keyPath, reason + " Use a property that is in the model, by itself.")
  }
}

extension NSManagedObject {
  /// Whether the result of a key path is the value of a property of this object.
  fileprivate func isUnchanged(_ value: Any?, of name: String, in probe: KeyPathProbe) -> Bool {
    if layout.toMany(named: name) != nil {
      guard let members = Self.members(of: value), members.count == 1 else { return false }
      return probe.path(to: members[0].rowID) == probe.reads
    }
    guard let slot = layout.slot(named: name), page != nil else { return false }
    if let object = value as? NSManagedObject { return probe.path(to: object.rowID) == probe.reads }
    guard let found = PredicateValue(argument: value) ?? value.flatMap(PredicateValue.init(raw:)) else { return false }
    return row.predicateValue(slot).isEqual(to: found)
  }

  private static func members(of value: Any?) -> [NSManagedObject]? {
    switch value {
    case let set as NSSet: set.allObjects as? [NSManagedObject]
    case let set as NSOrderedSet: set.array as? [NSManagedObject]
    case let set as Set<NSManagedObject>: Array(set)
    case let array as [NSManagedObject]: array
    default: nil
    }
  }
}

extension NSAttributeType {
  /// Whether the values can be of any class.
  fileprivate var isOpaque: Bool {
    switch self {
    case .transformableAttributeType, .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: true
    default: false
    }
  }
}

extension AnyKeyPath {
  /// What `@NSManaged` accessors return for nil if the declared type is not optional.
  fileprivate var zero: PredicateValue? {
    switch type(of: self).valueType {
    case is any BinaryInteger.Type: .integer(0)
    case is any BinaryFloatingPoint.Type: .real(0)
    case is Bool.Type: .bool(false)
    case is String.Type: .string("")
    default: nil
    }
  }
}

extension PredicateValue {
  /// Creates an enumeration's value from its raw value.
  fileprivate init?(raw value: Any) {
    guard let value = value as? any RawRepresentable else { return nil }
    self.init(argument: value.rawValue)
  }
}
