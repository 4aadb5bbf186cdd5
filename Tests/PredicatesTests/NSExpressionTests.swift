// The module first: for a name that both have, the compiler would otherwise warn that Foundation's is deprecated.
// swift-format-ignore: OrderedImports
import StrataPredicates
import Foundation
import Testing

@Suite struct NSExpressionTests {
  private func value(_ expression: NSExpression, _ object: Any? = nil) -> Any? {
    expression.expressionValue(with: object, context: nil)
  }

  @Test func `every initializer creates an expression of its type`() throws {
    let a = NSExpression(forKeyPath: "region.name")
    let five = NSExpression(forConstantValue: 5)
    let x = NSExpression(forVariable: "x")
    let set = NSExpression(forAggregate: [five, a])
    let predicate = NSPredicate(format: "$x > 1")
    #expect(a.expressionType == .keyPath && a.keyPath == "region.name")
    #expect(five.expressionType == .constantValue && five.constantValue as? Int == 5)
    #expect(x.expressionType == .variable && x.variable == "x")
    #expect(NSExpression.expressionForEvaluatedObject().expressionType == .evaluatedObject)
    #expect(set.expressionType == .aggregate && (set.collection as? [NSExpression]) == [five, a])
    let sum = NSExpression(forFunction: "add:to:", arguments: [five, a])
    #expect(sum.expressionType == .function && sum.function == "add:to:" && sum.arguments == [five, a])
    let union = NSExpression(forUnionSet: set, with: a)
    #expect(union.expressionType == .unionSet && union.left == set && union.right == a)
    #expect(NSExpression(forIntersectSet: set, with: a).expressionType == .intersectSet)
    #expect(NSExpression(forMinusSet: set, with: a).expressionType == .minusSet)
    let subquery = NSExpression(forSubquery: a, usingIteratorVariable: "x", predicate: predicate)
    #expect(subquery.expressionType == .subquery && subquery.variable == "x" && subquery.predicate == predicate)
    #expect(subquery.collection as? NSExpression == a)
    let choice = NSExpression(forConditional: predicate, trueExpression: five, falseExpression: a)
    #expect(choice.expressionType == .conditional && choice.true == five && choice.false == a)
    let block = NSExpression(block: { object, values, _ in [object, values] }, arguments: [five])
    #expect(block.expressionType == .block && block.arguments == [five])
    #expect(NSExpression.expressionForAnyKey().expressionType == .anyKey)
    let path = NSExpression(forFunction: x, selectorName: "valueForKeyPath:", arguments: ["name"])
    #expect(path.function == "valueForKeyPath:" && path.operand == x)
  }

  @Test func `expressions can be copied, compared and hashed`() throws {
    let expression = NSExpression(forKeyPath: "mag")
    let plain: Any = expression
    let isExpression = plain is NSExpression
    #expect(isExpression)
    #expect(expression.copy() as? NSExpression == expression)
    #expect(Set([expression, NSExpression(forKeyPath: "mag")]).count == 1)
    #expect(expression != NSExpression(forKeyPath: "place"))
    #expect("\(expression)" == "mag")
    #expect(try expression.node == .keyPath(["mag"]))
    #expect(NSExpression.expression(with: .keyPath(["mag"])) == expression)
    expression.allowEvaluation()
  }

  @Test func `expressions are evaluated`() {
    #expect(value(NSExpression(forConstantValue: nil)) == nil)
    #expect(value(NSExpression(format: "mag + %d", 2), ["mag": 5]) as? Int == 7)
    #expect(value(NSExpression(format: "7 / 2")) as? Int == 3)
    #expect(value(NSExpression(format: "sum:(%@)", [1.5, 2])) as? Double == 3.5)
    #expect(value(NSExpression(format: "%K", "a.b"), ["a": ["b": "c"]]) as? String == "c")
    #expect(value(NSExpression(format: "uppercase(%@)", argumentArray: ["a"])) as? String == "A")
    let context: NSMutableDictionary = ["x": 4]
    #expect(NSExpression(forVariable: "x").expressionValue(with: nil, context: context) as? Int == 4)
    let mode = NSExpression(forFunction: "mode:", arguments: [NSExpression(forConstantValue: [1, 1, 2])])
    #expect(value(mode) as? [Int] == [1])
    let block = NSExpression(block: { object, values, _ in "\(object ?? "")\(values[0])" }, arguments: [mode])
    #expect((value(block, "x") as? String)?.hasPrefix("x[") == true)
  }

  @Test func `a constant of any class is retained`() {
    final class Thing {}
    let thing = Thing()
    let constant = NSExpression(forConstantValue: thing).constantValue as? Thing
    let isSame = constant === thing
    #expect(isSame)
  }

  @Test func `expressions release their blocks`() {
    final class DeinitObserver {
      let onDeinit: () -> Void
      init(_ body: @escaping () -> Void) { onDeinit = body }
      deinit { onDeinit() }
    }
    final class Count: @unchecked Sendable { var value = 0 }
    let count = Count()
    do {
      let deinitObserver = DeinitObserver { count.value += 1 }
      let block = NSExpression(block: { _, _, _ in deinitObserver }, arguments: nil)
      let predicate = NSComparisonPredicate(
        leftExpression: block, rightExpression: block, modifier: .direct, type: .equalTo)
      #expect(predicate.leftExpression == block)
    }
    #expect(count.value == 1)
  }
}

@Suite struct NSComparisonPredicateTests {
  @Test func `a comparison has the given parts`() throws {
    let left = NSExpression(forKeyPath: "place")
    let right = NSExpression(forConstantValue: "TON")
    let predicate = NSComparisonPredicate(
      leftExpression: left, rightExpression: right, modifier: .direct, type: .beginsWith, options: [.caseInsensitive])
    #expect(predicate.predicateOperatorType == .beginsWith && predicate.options == .caseInsensitive)
    #expect(predicate.comparisonPredicateModifier == .direct)
    #expect(predicate.leftExpression == left && predicate.rightExpression == right)
    #expect(try predicate.tree == NSPredicate(format: "place BEGINSWITH[c] 'TON'").tree)
    #expect(predicate == NSPredicate(format: "place BEGINSWITH[c] 'TON'"))
    #expect(predicate.evaluate(with: ["place": "Tonga"]))
    #expect(!NSCompoundPredicate(notPredicateWithSubpredicate: predicate).evaluate(with: ["place": "Tonga"]))
  }

  @Test func `every operator and modifier survives a round trip`() {
    let side = NSExpression(forConstantValue: [1, 2])
    for raw in UInt(0)...12 {
      guard let type = NSComparisonPredicate.Operator(rawValue: raw) else { continue }
      for modifier in [NSComparisonPredicate.Modifier.direct, .all, .any] {
        let predicate = NSComparisonPredicate(
          leftExpression: side, rightExpression: side, modifier: modifier, type: type)
        #expect(predicate.predicateOperatorType == type && predicate.comparisonPredicateModifier == modifier)
      }
    }
  }

  @Test func `a format string creates predicates of Apple's classes`() throws {
    let predicate = NSPredicate(format: "mag > 5") as? NSComparisonPredicate
    let comparison = try #require(predicate)
    #expect(comparison.leftExpression.keyPath == "mag" && comparison.rightExpression.constantValue as? Int == 5)
    let compound = try #require(NSPredicate(format: "mag > 5 AND NOT place = 'x'") as? NSCompoundPredicate)
    #expect(compound.compoundPredicateType == .and && compound.subpredicates.count == 2)
    #expect(compound.subpredicates[0] == comparison)
    #expect((compound.subpredicates[1] as? NSCompoundPredicate)?.compoundPredicateType == .not)
    #expect(compound.copy() as? NSPredicate == compound)
    #expect(compound.evaluate(with: ["mag": 6, "place": "y"]))
    #expect((NSPredicate(format: "TRUEPREDICATE")).evaluate(with: nil))
  }
}
