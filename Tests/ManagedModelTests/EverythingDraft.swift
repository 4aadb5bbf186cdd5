import StrataManagedModel

/// A model with every feature of Apple's known compiled format; unless `known`, also with features whose format is
/// unknown: a pattern and a composite attribute.
func makeEverything(known: Bool = false) throws -> NSManagedObjectModel {
  let pattern = known ? "" : #"regularExpressionString="\w+ &quot;x&quot;""#
  let composite = known ? "" : #"<attribute name="size" optional="YES" attributeType="Composite" composite="Size"/>"#
  return try model(
    """
    <entity name="Base" isAbstract="YES" versionHashModifier="2">
        <attribute name="id" attributeType="UUID" elementID="oldID" preserveAfterDeletion="YES"/>
        <attribute name="text" optional="YES" attributeType="String" defaultValueString="" minValueString="1" \
    \(pattern)><userInfo><entry key="k" value="v"/></userInfo></attribute>
        <attribute name="real" attributeType="Double" defaultValueString="0.1" maxValueString="7.5"/>
        <attribute name="single" attributeType="Float" defaultValueString="0.1"/>
        <attribute name="money" attributeType="Decimal" defaultValueString="-10.11" minValueString="-11.5"/>
        <attribute name="flag" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="at" attributeType="Date" defaultDateTimeInterval="-978285600.25" minDateTimeInterval="3"/>
        <attribute name="site" attributeType="URI" defaultValueString="https://a.example"/>
        <attribute name="image" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="tags" attributeType="Transformable" customClassName="[String]" valueTransformerName="T"/>
        <attribute name="gone" optional="YES" transient="YES"/>
        <attribute name="sum" optional="YES" attributeType="Integer 64" derived="YES" \
    derivationExpression="links.@count"/>
        <attribute name="plain" optional="YES" attributeType="String" derived="YES" \
    derivationExpression="canonical:(text)"/>
        <attribute name="saved" attributeType="Date" derived="YES" derivationExpression="now()"/>
        \(composite)
        <relationship name="links" optional="YES" toMany="YES" maxCount="7" deletionRule="Cascade" ordered="YES" \
    destinationEntity="Link" inverseName="base" inverseEntity="Link"/>
        <fetchedProperty name="same" optional="YES">
            <fetchRequest name="fetchedPropertyFetchRequest" entity="Link" \
    predicateString="n &gt; $FETCH_SOURCE.real AND NOT n IN {1, 2}"/>
        </fetchedProperty>
        <fetchIndex name="byReal" partialIndexPredicate="flag == YES">
            <fetchIndexElement property="real" type="Binary" order="descending"/>
        </fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint>\
    </uniquenessConstraints>
    </entity>
    <entity name="Child" representedClassName="M.Child" parentEntity="Base" elementID="Kid"/>
    <entity name="Link"><attribute name="n" attributeType="Integer 16" defaultValueString="-3"/>
        <relationship name="base" maxCount="1" deletionRule="Deny" destinationEntity="Base" inverseName="links" \
    inverseEntity="Base"/></entity>
    <composite name="Size"><attribute name="richter" attributeType="Double" defaultValueString="2.5"/></composite>
    <fetchRequest name="Some" entity="Link" predicateString="n IN $LIST OR base.real &lt;= 1.5" fetchLimit="9"/>
    <fetchRequest name="Ids" entity="Link" resultType="1" predicateString="ANY base.text CONTAINS[cd] &quot;é&quot;"/>
    <configuration name="Local"><memberEntity name="Link"/></configuration>
    """)
}
