import Foundation
import StrataManagedModel
import StrataPredicates

/// A model's named fetch requests.
extension NSManagedObjectModel {
  /// The fetch request templates by name.
  public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    Dictionary(
      uniqueKeysWithValues: fetchTemplates.keys.compactMap { name in
        fetchRequestTemplate(forName: name).map { (name, $0) }
      })
  }

  /// Returns a template; nil if the model does not have it.
  ///
  /// Once a coordinator uses the model, changing a template stops the program. Copy it, or use
  /// `fetchRequestFromTemplate(withName:substitutionVariables:)`. See
  /// <https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel/fetchrequesttemplate(forname:)>
  public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let template = fetchTemplates[name] else { return nil }
    if let known = template.request as? NSFetchRequest<any NSFetchRequestResult>, known.model === self { return known }
    let request = template.makeRequest()
    if let entity = request.entityName.flatMap({ entitiesByName[$0] }) { request.entity = entity }
    request.model = self
    // Cached before the model is frozen: afterwards any thread may call this.
    if !isFrozen { fetchTemplates[name]?.request = request }
    return request
  }

  /// Stores a copy of a request under a name; nil removes the template.
  public func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) {
    fetchTemplates[name] = fetchRequestTemplate.map { FetchTemplate($0.duplicate()) }
  }

  /// Stores a copy of a request of any result type under a name.
  public func setFetchRequestTemplate<ResultType>(
    _ fetchRequestTemplate: NSFetchRequest<ResultType>, forName name: String
  ) {
    let request: NSFetchRequest<any NSFetchRequestResult>? = fetchRequestTemplate.ofAnyResult
    setFetchRequestTemplate(request, forName: name)
  }

  /// Returns a new request from a template, with its variables replaced by values; nil if there is no such template. A
  /// variable without a value stops the program.
  ///
  /// ```swift
  /// let strong = NSFetchRequest<Quake>(entityName: "Quake")
  /// strong.predicate = NSPredicate(format: "magnitude > $least")
  /// model.setFetchRequestTemplate(strong, forName: "strong")  // Before its use.
  ///
  /// let request: NSFetchRequest<Quake>? = model.fetchRequestFromTemplate(
  ///   withName: "strong", substitutionVariables: ["least": 6])
  /// ```
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let request = fetchRequestTemplate(forName: name)?.duplicate() else { return nil }
    request.predicate = request.predicate?.withSubstitutionVariables(variables)
    return request
  }

  /// Returns a new request from a template, for the result type that the caller names. Without Objective-C, a request
  /// cannot be cast to another result type.
  @_disfavoredOverload
  public func fetchRequestFromTemplate<ResultType: NSFetchRequestResult>(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<ResultType>? {
    fetchRequestFromTemplate(withName: name, substitutionVariables: variables)?.ofResult()
  }
}

extension NSFetchRequest {
  /// Returns a copy of the same type.
  func duplicate() -> NSFetchRequest<ResultType> {
    let copy = NSFetchRequest<ResultType>()
    copy.copyContents(from: self)
    return copy
  }
}
