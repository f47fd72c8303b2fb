import Cells
import CellTemplates

/// The locale, time zone and time that items are read in, and what their answer says of them.
extension BatchRenderer {
  /// Lets the factory read the rows of a batch of one kind as the request says.
  mutating func beginReading(_ factory: isolated CellFactory) {
    guard case .data(let kind) = batch.content, let terms else { return }
    languages = terms.begin(kind, in: archive, factory)
  }

  /// Lets the factory read an item as it says itself, or as the request does.
  mutating func use(_ item: ItemReader.Item, _ factory: isolated CellFactory) {
    guard let terms, archive.rowUses(of: item.kind).has(.locale) else { return }
    note(item)
    if item.setting == nil, !hasItemSetting, factory.hasSetting { return }
    factory.use(item.setting ?? terms.setting, for: item.kind)
    hasItemSetting = item.setting != nil
  }

  /// Adds the language of an item.
  mutating func note(_ item: ItemReader.Item) {
    guard let terms, archive.rowUses(of: item.kind).has(.locale) else { return }
    languages.note(
      archive.locale(of: item.kind, for: (item.setting ?? terms.setting).locales), in: archive,
      isChosen: item.choosesLocale || terms.isLocaleChosen,
      isByClock: !terms.isNowGiven && archive.rowUses(of: item.kind).has(.now))
  }

  /// Counts what did not fit its format and is not counted yet. Called for what is sent: a refused request has printed
  /// nothing. A paused row is not counted yet, because it may be bad.
  mutating func countMisfits(_ factory: isolated CellFactory) {
    let misfits = (paused?.tallyBefore ?? factory.valueTally).misfits
    statistics.countUnformatted(misfits - countedMisfits)
    countedMisfits = misfits
  }
}
