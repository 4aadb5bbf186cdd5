import CoreData
import Foundation

/// The accessors behind the `@NSManaged` declarations of this module, by the names that the compiler gives them.
private enum LibraryKey {
  static let tags = _ManagedKey("tags")
  static let pages = _ManagedKey("pages")
  static let lists = _ManagedKey("lists")
  static let book = _ManagedKey("book")
  static let books = _ManagedKey("books")
  static let name = _ManagedKey("name")
}

extension Page {
  @_silgen_name("$s19AppleBehaviourTests4PageC4bookAA4BookCSgvg")
  final func _get_book() -> Book? { _object(LibraryKey.book) as? Book }
  @_silgen_name("$s19AppleBehaviourTests4PageC4bookAA4BookCSgvs")
  final func _set_book(_ value: consuming Book?) { _setObject(value, LibraryKey.book) }

  @_silgen_name("$s19AppleBehaviourTests4PageC4nameSSSgvg")
  final func _get_name() -> String? { _string(LibraryKey.name) }
  @_silgen_name("$s19AppleBehaviourTests4PageC4nameSSSgvs")
  final func _set_name(_ value: consuming String?) { _setString(value, LibraryKey.name) }
}

extension Tag {
  @_silgen_name("$s19AppleBehaviourTests3TagC5books10Foundation5NSSetCSgvg")
  final func _get_books() -> NSSet? { _set(LibraryKey.books) }
  @_silgen_name("$s19AppleBehaviourTests3TagC5books10Foundation5NSSetCSgvs")
  final func _set_books(_ value: consuming NSSet?) { _setMembers(value, LibraryKey.books) }
}

extension Book {
  @_silgen_name("$s19AppleBehaviourTests4BookC4tags10Foundation5NSSetCSgvg")
  final func _get_tags() -> NSSet? { _set(LibraryKey.tags) }
  @_silgen_name("$s19AppleBehaviourTests4BookC4tags10Foundation5NSSetCSgvs")
  final func _set_tags(_ value: consuming NSSet?) { _setMembers(value, LibraryKey.tags) }

  @_silgen_name("$s19AppleBehaviourTests4BookC5pages10Foundation12NSOrderedSetCSgvg")
  final func _get_pages() -> NSOrderedSet? { _orderedSet(LibraryKey.pages) }
  @_silgen_name("$s19AppleBehaviourTests4BookC5pages10Foundation12NSOrderedSetCSgvs")
  final func _set_pages(_ value: consuming NSOrderedSet?) { _setMembers(value, LibraryKey.pages) }

  @_silgen_name("$s19AppleBehaviourTests4BookC5listsShy11ObjectGraph09NSManagedF0CGvg")
  final func _get_lists() -> Set<NSManagedObject> { Set(_objects(LibraryKey.lists)) }
  @_silgen_name("$s19AppleBehaviourTests4BookC5listsShy11ObjectGraph09NSManagedF0CGvs")
  final func _set_lists(_ value: consuming Set<NSManagedObject>) { _setObjects(Array(value), LibraryKey.lists) }
}

extension Book {
  @_silgen_name("$s19AppleBehaviourTests4BookC9addToTagsyyAA3TagCF")
  final func _add_tag(_ value: Tag) { _addObject(value, LibraryKey.tags) }
  @_silgen_name("$s19AppleBehaviourTests4BookC14removeFromTagsyyAA3TagCF")
  final func _remove_tag(_ value: Tag) { _removeObject(value, LibraryKey.tags) }
  @_silgen_name("$s19AppleBehaviourTests4BookC9addToTagsyy10Foundation5NSSetCF")
  final func _add_tags(_ values: NSSet) { _addObjects(values, LibraryKey.tags) }
  @_silgen_name("$s19AppleBehaviourTests4BookC14removeFromTagsyy10Foundation5NSSetCF")
  final func _remove_tags(_ values: NSSet) { _removeObjects(values, LibraryKey.tags) }
}

extension Book {
  @_silgen_name("$s19AppleBehaviourTests4BookC15insertIntoPages_2atyAA4PageC_SitF")
  final func _insert_page(_ value: Page, at idx: Int) { _insertObject(value, at: idx, LibraryKey.pages) }
  @_silgen_name("$s19AppleBehaviourTests4BookC15removeFromPages2atySi_tF")
  final func _remove_page(at idx: Int) { _removeObject(at: idx, LibraryKey.pages) }
  @_silgen_name("$s19AppleBehaviourTests4BookC15insertIntoPages_2atySayAA4PageCG_10Foundation10NSIndexSetCtF")
  final func _insert_pages(_ values: [Page], at indexes: NSIndexSet) {
    _insertObjects(values, at: indexes, LibraryKey.pages)
  }
  @_silgen_name("$s19AppleBehaviourTests4BookC15removeFromPages2aty10Foundation10NSIndexSetC_tF")
  final func _remove_pages(at indexes: NSIndexSet) { _removeObjects(at: indexes, LibraryKey.pages) }
  @_silgen_name("$s19AppleBehaviourTests4BookC12replacePages2at4withySi_AA4PageCtF")
  final func _replace_page(at idx: Int, with value: Page) {
    _replaceObject(at: idx, with: value, LibraryKey.pages)
  }
  @_silgen_name("$s19AppleBehaviourTests4BookC12replacePages2at4withy10Foundation10NSIndexSetC_SayAA4PageCGtF")
  final func _replace_pages(at indexes: NSIndexSet, with values: [Page]) {
    _replaceObjects(at: indexes, with: values, LibraryKey.pages)
  }
  @_silgen_name("$s19AppleBehaviourTests4BookC9movePages2at2toy10Foundation10NSIndexSetC_SitF")
  final func _move_pages(at indexes: NSIndexSet, to idx: Int) {
    _moveObjects(at: indexes, to: idx, LibraryKey.pages)
  }
  @_silgen_name("$s19AppleBehaviourTests4BookC10addToPagesyyAA4PageCF")
  final func _add_page(_ value: Page) { _addObject(value, LibraryKey.pages) }
  @_silgen_name("$s19AppleBehaviourTests4BookC15removeFromPagesyyAA4PageCF")
  final func _remove_page(_ value: Page) { _removeObject(value, LibraryKey.pages) }
  @_silgen_name("$s19AppleBehaviourTests4BookC10addToPagesyy10Foundation12NSOrderedSetCF")
  final func _add_pages(_ values: NSOrderedSet) { _addObjects(values, LibraryKey.pages) }
  @_silgen_name("$s19AppleBehaviourTests4BookC15removeFromPagesyy10Foundation12NSOrderedSetCF")
  final func _remove_pages(_ values: NSOrderedSet) { _removeObjects(values, LibraryKey.pages) }
}
