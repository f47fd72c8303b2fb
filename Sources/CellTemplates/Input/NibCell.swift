/// A cell's position in its nib, and what its own attributes say.
package struct NibCell: Sendable {
  /// The nib's path relative to the folder, without the extension.
  package let nib: String
  /// The `lang` of the nib's `<html>`.
  let language: String?
  /// Its own class comes first.
  package let classes: [String]
  package let allowsRaw: Bool
  /// The `data-missing` of a `<template>`, which is not printed. That of another element belongs to the element.
  package let missing: MissingPolicy?
  /// The namespace of the element that contains it.
  let namespace: ElementContext.Namespace
  /// Its element in the nib, with its tags.
  package let element: Range<Int>
  /// The offset of its identifier.
  package let at: Int
}
