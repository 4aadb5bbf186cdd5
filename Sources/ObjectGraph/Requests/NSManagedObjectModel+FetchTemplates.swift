import Foundation
import StrataManagedModel
import StrataPredicates

/// Fetch requests that a model keeps under names.
extension NSManagedObjectModel {
  /// The templates by name, as `fetchRequestTemplate(forName:)` answers them.
  public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    Dictionary(
      uniqueKeysWithValues: fetchTemplates.keys.compactMap { name in
        fetchRequestTemplate(forName: name).map { (name, $0) }
      })
  }

  /// A template; nil if there is none of the name. Once a coordinator uses the model a change of it stops the program:
  /// copy it, or take `fetchRequestFromTemplate(withName:substitutionVariables:)`.
  /// See https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel/fetchrequesttemplate(forname:)
  public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let template = fetchTemplates[name] else { return nil }
    if let known = template.request as? NSFetchRequest<any NSFetchRequestResult>, known.model === self { return known }
    let request = template.makeRequest()
    if let entity = request.entityName.flatMap({ entitiesByName[$0] }) { request.entity = entity }
    request.model = self
    // Of a model in use every answer is the same for ever, and any thread may ask.
    if !isFrozen { fetchTemplates[name]?.request = request }
    return request
  }

  /// Keeps a copy of a request under a name; nil takes the template out.
  public func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) {
    fetchTemplates[name] = fetchRequestTemplate.map { FetchTemplate($0.duplicate()) }
  }

  /// Keeps a copy of a request of any type of result under a name.
  public func setFetchRequestTemplate<ResultType>(
    _ fetchRequestTemplate: NSFetchRequest<ResultType>, forName name: String
  ) {
    let request: NSFetchRequest<any NSFetchRequestResult>? = fetchRequestTemplate.ofAnyResult
    setFetchRequestTemplate(request, forName: name)
  }

  /// A request of a template's making, with a value for each of its variables; nil if there is none of the name. It can be
  /// changed. A variable without a value stops the program.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let request = fetchRequestTemplate(forName: name)?.duplicate() else { return nil }
    request.predicate = request.predicate?.withSubstitutionVariables(variables)
    return request
  }

  /// A request of a template's making for the type of result that the caller names: without Objective-C a request cannot
  /// be cast to another type.
  @_disfavoredOverload
  public func fetchRequestFromTemplate<ResultType: NSFetchRequestResult>(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<ResultType>? {
    fetchRequestFromTemplate(withName: name, substitutionVariables: variables)?.ofResult()
  }
}

extension NSFetchRequest {
  /// A copy, with its type.
  func duplicate() -> NSFetchRequest<ResultType> {
    let copy = NSFetchRequest<ResultType>()
    copy.take(from: self)
    return copy
  }
}
