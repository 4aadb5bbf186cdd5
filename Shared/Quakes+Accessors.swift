import CoreData
import Foundation

/// The accessors behind the `@NSManaged` declarations of this module, one pair a property, by the names that the
/// compiler gives them. They read and write the object's row directly. A setter is handed its value for good, hence
/// `consuming`: without it every value that was set would stay in memory.
private enum QuakeKey {
  static let alert = _ManagedKey("alert")
  static let cdi = _ManagedKey("cdi")
  static let code = _ManagedKey("code")
  static let depth = _ManagedKey("depth")
  static let detail = _ManagedKey("detail")
  static let dmin = _ManagedKey("dmin")
  static let felt = _ManagedKey("felt")
  static let gap = _ManagedKey("gap")
  static let identifier = _ManagedKey("identifier")
  static let ids = _ManagedKey("ids")
  static let latitude = _ManagedKey("latitude")
  static let longitude = _ManagedKey("longitude")
  static let magnitude = _ManagedKey("magnitude")
  static let magnitudeType = _ManagedKey("magnitudeType")
  static let mmi = _ManagedKey("mmi")
  static let network = _ManagedKey("network")
  static let nst = _ManagedKey("nst")
  static let place = _ManagedKey("place")
  static let rms = _ManagedKey("rms")
  static let significance = _ManagedKey("significance")
  static let sources = _ManagedKey("sources")
  static let status = _ManagedKey("status")
  static let time = _ManagedKey("time")
  static let title = _ManagedKey("title")
  static let tsunami = _ManagedKey("tsunami")
  static let type = _ManagedKey("type")
  static let types = _ManagedKey("types")
  static let updated = _ManagedKey("updated")
  static let url = _ManagedKey("url")
}

extension Quake {
  @_silgen_name("$s6Shared5QuakeC5alertSSSgvg")
  public final func _get_alert() -> String? { _string(QuakeKey.alert) }
  @_silgen_name("$s6Shared5QuakeC5alertSSSgvs")
  public final func _set_alert(_ value: consuming String?) { _setString(value, QuakeKey.alert) }

  @_silgen_name("$s6Shared5QuakeC3cdi10Foundation8NSNumberCSgvg")
  public final func _get_cdi() -> NSNumber? { _boxed(QuakeKey.cdi) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC3cdi10Foundation8NSNumberCSgvs")
  public final func _set_cdi(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.cdi) }

  @_silgen_name("$s6Shared5QuakeC4codeSSSgvg")
  public final func _get_code() -> String? { _string(QuakeKey.code) }
  @_silgen_name("$s6Shared5QuakeC4codeSSSgvs")
  public final func _set_code(_ value: consuming String?) { _setString(value, QuakeKey.code) }

  @_silgen_name("$s6Shared5QuakeC5depth10Foundation8NSNumberCSgvg")
  public final func _get_depth() -> NSNumber? { _boxed(QuakeKey.depth) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC5depth10Foundation8NSNumberCSgvs")
  public final func _set_depth(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.depth) }

  @_silgen_name("$s6Shared5QuakeC6detailSSSgvg")
  public final func _get_detail() -> String? { _string(QuakeKey.detail) }
  @_silgen_name("$s6Shared5QuakeC6detailSSSgvs")
  public final func _set_detail(_ value: consuming String?) { _setString(value, QuakeKey.detail) }

  @_silgen_name("$s6Shared5QuakeC4dmin10Foundation8NSNumberCSgvg")
  public final func _get_dmin() -> NSNumber? { _boxed(QuakeKey.dmin) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC4dmin10Foundation8NSNumberCSgvs")
  public final func _set_dmin(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.dmin) }

  @_silgen_name("$s6Shared5QuakeC4felt10Foundation8NSNumberCSgvg")
  public final func _get_felt() -> NSNumber? { _boxed(QuakeKey.felt) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC4felt10Foundation8NSNumberCSgvs")
  public final func _set_felt(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.felt) }

  @_silgen_name("$s6Shared5QuakeC3gap10Foundation8NSNumberCSgvg")
  public final func _get_gap() -> NSNumber? { _boxed(QuakeKey.gap) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC3gap10Foundation8NSNumberCSgvs")
  public final func _set_gap(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.gap) }

  @_silgen_name("$s6Shared5QuakeC10identifierSSSgvg")
  public final func _get_identifier() -> String? { _string(QuakeKey.identifier) }
  @_silgen_name("$s6Shared5QuakeC10identifierSSSgvs")
  public final func _set_identifier(_ value: consuming String?) { _setString(value, QuakeKey.identifier) }

  @_silgen_name("$s6Shared5QuakeC3idsSSSgvg")
  public final func _get_ids() -> String? { _string(QuakeKey.ids) }
  @_silgen_name("$s6Shared5QuakeC3idsSSSgvs")
  public final func _set_ids(_ value: consuming String?) { _setString(value, QuakeKey.ids) }

  @_silgen_name("$s6Shared5QuakeC8latitudeSdvg")
  public final func _get_latitude() -> Double { _double(QuakeKey.latitude) ?? 0 }
  @_silgen_name("$s6Shared5QuakeC8latitudeSdvs")
  public final func _set_latitude(_ value: consuming Double) { _setDouble(value, QuakeKey.latitude) }

  @_silgen_name("$s6Shared5QuakeC9longitudeSdvg")
  public final func _get_longitude() -> Double { _double(QuakeKey.longitude) ?? 0 }
  @_silgen_name("$s6Shared5QuakeC9longitudeSdvs")
  public final func _set_longitude(_ value: consuming Double) { _setDouble(value, QuakeKey.longitude) }

  @_silgen_name("$s6Shared5QuakeC9magnitude10Foundation8NSNumberCSgvg")
  public final func _get_magnitude() -> NSNumber? { _boxed(QuakeKey.magnitude) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC9magnitude10Foundation8NSNumberCSgvs")
  public final func _set_magnitude(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.magnitude) }

  @_silgen_name("$s6Shared5QuakeC13magnitudeTypeSSSgvg")
  public final func _get_magnitudeType() -> String? { _string(QuakeKey.magnitudeType) }
  @_silgen_name("$s6Shared5QuakeC13magnitudeTypeSSSgvs")
  public final func _set_magnitudeType(_ value: consuming String?) { _setString(value, QuakeKey.magnitudeType) }

  @_silgen_name("$s6Shared5QuakeC3mmi10Foundation8NSNumberCSgvg")
  public final func _get_mmi() -> NSNumber? { _boxed(QuakeKey.mmi) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC3mmi10Foundation8NSNumberCSgvs")
  public final func _set_mmi(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.mmi) }

  @_silgen_name("$s6Shared5QuakeC7networkSSSgvg")
  public final func _get_network() -> String? { _string(QuakeKey.network) }
  @_silgen_name("$s6Shared5QuakeC7networkSSSgvs")
  public final func _set_network(_ value: consuming String?) { _setString(value, QuakeKey.network) }

  @_silgen_name("$s6Shared5QuakeC3nst10Foundation8NSNumberCSgvg")
  public final func _get_nst() -> NSNumber? { _boxed(QuakeKey.nst) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC3nst10Foundation8NSNumberCSgvs")
  public final func _set_nst(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.nst) }

  @_silgen_name("$s6Shared5QuakeC5placeSSSgvg")
  public final func _get_place() -> String? { _string(QuakeKey.place) }
  @_silgen_name("$s6Shared5QuakeC5placeSSSgvs")
  public final func _set_place(_ value: consuming String?) { _setString(value, QuakeKey.place) }

  @_silgen_name("$s6Shared5QuakeC3rms10Foundation8NSNumberCSgvg")
  public final func _get_rms() -> NSNumber? { _boxed(QuakeKey.rms) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC3rms10Foundation8NSNumberCSgvs")
  public final func _set_rms(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.rms) }

  @_silgen_name("$s6Shared5QuakeC12significance10Foundation8NSNumberCSgvg")
  public final func _get_significance() -> NSNumber? { _boxed(QuakeKey.significance) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC12significance10Foundation8NSNumberCSgvs")
  public final func _set_significance(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.significance) }

  @_silgen_name("$s6Shared5QuakeC7sourcesSSSgvg")
  public final func _get_sources() -> String? { _string(QuakeKey.sources) }
  @_silgen_name("$s6Shared5QuakeC7sourcesSSSgvs")
  public final func _set_sources(_ value: consuming String?) { _setString(value, QuakeKey.sources) }

  @_silgen_name("$s6Shared5QuakeC6statusSSSgvg")
  public final func _get_status() -> String? { _string(QuakeKey.status) }
  @_silgen_name("$s6Shared5QuakeC6statusSSSgvs")
  public final func _set_status(_ value: consuming String?) { _setString(value, QuakeKey.status) }

  @_silgen_name("$s6Shared5QuakeC4time20FoundationEssentials4DateVSgvg")
  public final func _get_time() -> Date? { _date(QuakeKey.time) }
  @_silgen_name("$s6Shared5QuakeC4time20FoundationEssentials4DateVSgvs")
  public final func _set_time(_ value: consuming Date?) { _setDate(value, QuakeKey.time) }

  @_silgen_name("$s6Shared5QuakeC5titleSSSgvg")
  public final func _get_title() -> String? { _string(QuakeKey.title) }
  @_silgen_name("$s6Shared5QuakeC5titleSSSgvs")
  public final func _set_title(_ value: consuming String?) { _setString(value, QuakeKey.title) }

  @_silgen_name("$s6Shared5QuakeC7tsunami10Foundation8NSNumberCSgvg")
  public final func _get_tsunami() -> NSNumber? { _boxed(QuakeKey.tsunami) as? NSNumber }
  @_silgen_name("$s6Shared5QuakeC7tsunami10Foundation8NSNumberCSgvs")
  public final func _set_tsunami(_ value: consuming NSNumber?) { _setBoxed(value, QuakeKey.tsunami) }

  @_silgen_name("$s6Shared5QuakeC4typeSSSgvg")
  public final func _get_type() -> String? { _string(QuakeKey.type) }
  @_silgen_name("$s6Shared5QuakeC4typeSSSgvs")
  public final func _set_type(_ value: consuming String?) { _setString(value, QuakeKey.type) }

  @_silgen_name("$s6Shared5QuakeC5typesSSSgvg")
  public final func _get_types() -> String? { _string(QuakeKey.types) }
  @_silgen_name("$s6Shared5QuakeC5typesSSSgvs")
  public final func _set_types(_ value: consuming String?) { _setString(value, QuakeKey.types) }

  @_silgen_name("$s6Shared5QuakeC7updated20FoundationEssentials4DateVSgvg")
  public final func _get_updated() -> Date? { _date(QuakeKey.updated) }
  @_silgen_name("$s6Shared5QuakeC7updated20FoundationEssentials4DateVSgvs")
  public final func _set_updated(_ value: consuming Date?) { _setDate(value, QuakeKey.updated) }

  @_silgen_name("$s6Shared5QuakeC3urlSSSgvg")
  public final func _get_url() -> String? { _string(QuakeKey.url) }
  @_silgen_name("$s6Shared5QuakeC3urlSSSgvs")
  public final func _set_url(_ value: consuming String?) { _setString(value, QuakeKey.url) }
}

private enum FeedKey {
  static let badCount = _ManagedKey("badCount")
  static let changedCount = _ManagedKey("changedCount")
  static let generated = _ManagedKey("generated")
  static let lastFetched = _ManagedKey("lastFetched")
  static let lastStatus = _ManagedKey("lastStatus")
  static let lastSucceeded = _ManagedKey("lastSucceeded")
  static let name = _ManagedKey("name")
  static let newCount = _ManagedKey("newCount")
  static let unchangedCount = _ManagedKey("unchangedCount")
  static let url = _ManagedKey("url")
}

extension Feed {
  @_silgen_name("$s6Shared4FeedC8badCounts5Int32Vvg")
  public final func _get_badCount() -> Int32 { Int32(truncatingIfNeeded: _integer(FeedKey.badCount) ?? 0) }
  @_silgen_name("$s6Shared4FeedC8badCounts5Int32Vvs")
  public final func _set_badCount(_ value: consuming Int32) { _setInteger(Int64(value), FeedKey.badCount) }

  @_silgen_name("$s6Shared4FeedC12changedCounts5Int32Vvg")
  public final func _get_changedCount() -> Int32 { Int32(truncatingIfNeeded: _integer(FeedKey.changedCount) ?? 0) }
  @_silgen_name("$s6Shared4FeedC12changedCounts5Int32Vvs")
  public final func _set_changedCount(_ value: consuming Int32) { _setInteger(Int64(value), FeedKey.changedCount) }

  @_silgen_name("$s6Shared4FeedC9generated20FoundationEssentials4DateVSgvg")
  public final func _get_generated() -> Date? { _date(FeedKey.generated) }
  @_silgen_name("$s6Shared4FeedC9generated20FoundationEssentials4DateVSgvs")
  public final func _set_generated(_ value: consuming Date?) { _setDate(value, FeedKey.generated) }

  @_silgen_name("$s6Shared4FeedC11lastFetched20FoundationEssentials4DateVSgvg")
  public final func _get_lastFetched() -> Date? { _date(FeedKey.lastFetched) }
  @_silgen_name("$s6Shared4FeedC11lastFetched20FoundationEssentials4DateVSgvs")
  public final func _set_lastFetched(_ value: consuming Date?) { _setDate(value, FeedKey.lastFetched) }

  @_silgen_name("$s6Shared4FeedC10lastStatusSSSgvg")
  public final func _get_lastStatus() -> String? { _string(FeedKey.lastStatus) }
  @_silgen_name("$s6Shared4FeedC10lastStatusSSSgvs")
  public final func _set_lastStatus(_ value: consuming String?) { _setString(value, FeedKey.lastStatus) }

  @_silgen_name("$s6Shared4FeedC13lastSucceeded20FoundationEssentials4DateVSgvg")
  public final func _get_lastSucceeded() -> Date? { _date(FeedKey.lastSucceeded) }
  @_silgen_name("$s6Shared4FeedC13lastSucceeded20FoundationEssentials4DateVSgvs")
  public final func _set_lastSucceeded(_ value: consuming Date?) { _setDate(value, FeedKey.lastSucceeded) }

  @_silgen_name("$s6Shared4FeedC4nameSSSgvg")
  public final func _get_name() -> String? { _string(FeedKey.name) }
  @_silgen_name("$s6Shared4FeedC4nameSSSgvs")
  public final func _set_name(_ value: consuming String?) { _setString(value, FeedKey.name) }

  @_silgen_name("$s6Shared4FeedC8newCounts5Int32Vvg")
  public final func _get_newCount() -> Int32 { Int32(truncatingIfNeeded: _integer(FeedKey.newCount) ?? 0) }
  @_silgen_name("$s6Shared4FeedC8newCounts5Int32Vvs")
  public final func _set_newCount(_ value: consuming Int32) { _setInteger(Int64(value), FeedKey.newCount) }

  @_silgen_name("$s6Shared4FeedC14unchangedCounts5Int32Vvg")
  public final func _get_unchangedCount() -> Int32 { Int32(truncatingIfNeeded: _integer(FeedKey.unchangedCount) ?? 0) }
  @_silgen_name("$s6Shared4FeedC14unchangedCounts5Int32Vvs")
  public final func _set_unchangedCount(_ value: consuming Int32) { _setInteger(Int64(value), FeedKey.unchangedCount) }

  @_silgen_name("$s6Shared4FeedC3urlSSSgvg")
  public final func _get_url() -> String? { _string(FeedKey.url) }
  @_silgen_name("$s6Shared4FeedC3urlSSSgvs")
  public final func _set_url(_ value: consuming String?) { _setString(value, FeedKey.url) }
}
