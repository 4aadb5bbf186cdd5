import CoreData
import Foundation

/// The accessors behind the `@NSManaged` declarations of the shocks, by the names that the compiler gives them.
private enum ShockKey {
  static let code = _ManagedKey("code")
  static let cost = _ManagedKey("cost")
  static let depth = _ManagedKey("depth")
  static let felt = _ManagedKey("felt")
  static let gap = _ManagedKey("gap")
  static let magnitude = _ManagedKey("magnitude")
  static let marks = _ManagedKey("marks")
  static let name = _ManagedKey("name")
  static let page = _ManagedKey("page")
  static let parent = _ManagedKey("parent")
  static let people = _ManagedKey("people")
  static let region = _ManagedKey("region")
  static let reviewed = _ManagedKey("reviewed")
  static let shock = _ManagedKey("shock")
  static let shocks = _ManagedKey("shocks")
  static let stations = _ManagedKey("stations")
  static let time = _ManagedKey("time")
  static let uuid = _ManagedKey("uuid")
  static let wave = _ManagedKey("wave")
  static let weight = _ManagedKey("weight")
}

extension Event {
  @_silgen_name("$s19AppleBehaviourTests5EventC4nameSSSgvg")
  final func _get_name() -> String? { _string(ShockKey.name) }
  @_silgen_name("$s19AppleBehaviourTests5EventC4nameSSSgvs")
  final func _set_name(_ value: consuming String?) { _setString(value, ShockKey.name) }

  @_silgen_name("$s19AppleBehaviourTests5EventC4time20FoundationEssentials4DateVSgvg")
  final func _get_time() -> Date? { _date(ShockKey.time) }
  @_silgen_name("$s19AppleBehaviourTests5EventC4time20FoundationEssentials4DateVSgvs")
  final func _set_time(_ value: consuming Date?) { _setDate(value, ShockKey.time) }
}

extension Mark {
  @_silgen_name("$s19AppleBehaviourTests4MarkC4nameSSvg")
  final func _get_name() -> String { _string(ShockKey.name) ?? "" }
  @_silgen_name("$s19AppleBehaviourTests4MarkC4nameSSvs")
  final func _set_name(_ value: consuming String) { _setString(value, ShockKey.name) }

  @_silgen_name("$s19AppleBehaviourTests4MarkC5shockAA5ShockCvg")
  // A mark always has a shock.
  final func _get_shock() -> Shock { _object(ShockKey.shock) as! Shock }
  @_silgen_name("$s19AppleBehaviourTests4MarkC5shockAA5ShockCvs")
  final func _set_shock(_ value: consuming Shock) { _setObject(value, ShockKey.shock) }

  @_silgen_name("$s19AppleBehaviourTests4MarkC6weightSdvg")
  final func _get_weight() -> Double { _double(ShockKey.weight) ?? 0 }
  @_silgen_name("$s19AppleBehaviourTests4MarkC6weightSdvs")
  final func _set_weight(_ value: consuming Double) { _setDouble(value, ShockKey.weight) }
}

extension Region {
  @_silgen_name("$s19AppleBehaviourTests6RegionC4nameSSSgvg")
  final func _get_name() -> String? { _string(ShockKey.name) }
  @_silgen_name("$s19AppleBehaviourTests6RegionC4nameSSSgvs")
  final func _set_name(_ value: consuming String?) { _setString(value, ShockKey.name) }

  @_silgen_name("$s19AppleBehaviourTests6RegionC6parentACSgvg")
  final func _get_parent() -> Region? { _object(ShockKey.parent) as? Region }
  @_silgen_name("$s19AppleBehaviourTests6RegionC6parentACSgvs")
  final func _set_parent(_ value: consuming Region?) { _setObject(value, ShockKey.parent) }

  @_silgen_name("$s19AppleBehaviourTests6RegionC6peoples5Int64Vvg")
  final func _get_people() -> Int64 { _integer(ShockKey.people) ?? 0 }
  @_silgen_name("$s19AppleBehaviourTests6RegionC6peoples5Int64Vvs")
  final func _set_people(_ value: consuming Int64) { _setInteger(value, ShockKey.people) }

  @_silgen_name("$s19AppleBehaviourTests6RegionC6shocks10Foundation5NSSetCSgvg")
  final func _get_shocks() -> NSSet? { _set(ShockKey.shocks) }
  @_silgen_name("$s19AppleBehaviourTests6RegionC6shocks10Foundation5NSSetCSgvs")
  final func _set_shocks(_ value: consuming NSSet?) { _setMembers(value, ShockKey.shocks) }
}

extension Shock {
  @_silgen_name("$s19AppleBehaviourTests5ShockC4codeSSvg")
  final func _get_code() -> String { _string(ShockKey.code) ?? "" }
  @_silgen_name("$s19AppleBehaviourTests5ShockC4codeSSvs")
  final func _set_code(_ value: consuming String) { _setString(value, ShockKey.code) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC4cost10Foundation15NSDecimalNumberCSgvg")
  final func _get_cost() -> NSDecimalNumber? { _boxed(ShockKey.cost) as? NSDecimalNumber }
  @_silgen_name("$s19AppleBehaviourTests5ShockC4cost10Foundation15NSDecimalNumberCSgvs")
  final func _set_cost(_ value: consuming NSDecimalNumber?) { _setBoxed(value, ShockKey.cost) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC5depth10Foundation8NSNumberCSgvg")
  final func _get_depth() -> NSNumber? { _boxed(ShockKey.depth) as? NSNumber }
  @_silgen_name("$s19AppleBehaviourTests5ShockC5depth10Foundation8NSNumberCSgvs")
  final func _set_depth(_ value: consuming NSNumber?) { _setBoxed(value, ShockKey.depth) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC4felts5Int32Vvg")
  final func _get_felt() -> Int32 { Int32(truncatingIfNeeded: _integer(ShockKey.felt) ?? 0) }
  @_silgen_name("$s19AppleBehaviourTests5ShockC4felts5Int32Vvs")
  final func _set_felt(_ value: consuming Int32) { _setInteger(Int64(value), ShockKey.felt) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC9magnitudeSdvg")
  final func _get_magnitude() -> Double { _double(ShockKey.magnitude) ?? 0 }
  @_silgen_name("$s19AppleBehaviourTests5ShockC9magnitudeSdvs")
  final func _set_magnitude(_ value: consuming Double) { _setDouble(value, ShockKey.magnitude) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC5marksShyAA4MarkCGvg")
  final func _get_marks() -> Set<Mark> { Set(_objects(ShockKey.marks).compactMap { $0 as? Mark }) }
  @_silgen_name("$s19AppleBehaviourTests5ShockC5marksShyAA4MarkCGvs")
  final func _set_marks(_ value: consuming Set<Mark>) { _setObjects(Array(value), ShockKey.marks) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC4page20FoundationEssentials3URLVSgvg")
  final func _get_page() -> URL? { _boxed(ShockKey.page) as? URL }
  @_silgen_name("$s19AppleBehaviourTests5ShockC4page20FoundationEssentials3URLVSgvs")
  final func _set_page(_ value: consuming URL?) { _setBoxed(value, ShockKey.page) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC6regionAA6RegionCSgvg")
  final func _get_region() -> Region? { _object(ShockKey.region) as? Region }
  @_silgen_name("$s19AppleBehaviourTests5ShockC6regionAA6RegionCSgvs")
  final func _set_region(_ value: consuming Region?) { _setObject(value, ShockKey.region) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC8reviewedSbvg")
  final func _get_reviewed() -> Bool { (_integer(ShockKey.reviewed) ?? 0) != 0 }
  @_silgen_name("$s19AppleBehaviourTests5ShockC8reviewedSbvs")
  final func _set_reviewed(_ value: consuming Bool) { _setInteger(value ? 1 : 0, ShockKey.reviewed) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC8stationss5Int16Vvg")
  final func _get_stations() -> Int16 { Int16(truncatingIfNeeded: _integer(ShockKey.stations) ?? 0) }
  @_silgen_name("$s19AppleBehaviourTests5ShockC8stationss5Int16Vvs")
  final func _set_stations(_ value: consuming Int16) { _setInteger(Int64(value), ShockKey.stations) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC4uuid20FoundationEssentials4UUIDVSgvg")
  final func _get_uuid() -> UUID? { _boxed(ShockKey.uuid) as? UUID }
  @_silgen_name("$s19AppleBehaviourTests5ShockC4uuid20FoundationEssentials4UUIDVSgvs")
  final func _set_uuid(_ value: consuming UUID?) { _setBoxed(value, ShockKey.uuid) }

  @_silgen_name("$s19AppleBehaviourTests5ShockC4wave20FoundationEssentials4DataVSgvg")
  final func _get_wave() -> Data? { _boxed(ShockKey.wave) as? Data }
  @_silgen_name("$s19AppleBehaviourTests5ShockC4wave20FoundationEssentials4DataVSgvs")
  final func _set_wave(_ value: consuming Data?) { _setBoxed(value, ShockKey.wave) }
}

extension Measured {
  @_silgen_name("$s19AppleBehaviourTests8MeasuredC3gapSfvg")
  final func _get_gap() -> Float { Float(_double(ShockKey.gap) ?? 0) }
  @_silgen_name("$s19AppleBehaviourTests8MeasuredC3gapSfvs")
  final func _set_gap(_ value: consuming Float) { _setDouble(Double(value), ShockKey.gap) }
}
