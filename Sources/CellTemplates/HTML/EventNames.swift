/// The names of event handlers in HTML and SVG, with their `on`.
///
/// Sources: HTML standard, 8.1.8.2 "Event handlers on elements, Document objects, and Window objects"; Pointer Events 3,
/// Touch Events, CSS Animations and Transitions, Selection API, Clipboard API, Fullscreen API, SVG 2, Device Orientation.
enum EventNames {
  /// - Parameter name: in lowercase.
  static func isHandler(_ name: String) -> Bool {
    name.hasPrefix("on") && names.contains(Substring(name.dropFirst(2)))
  }

  private static let names: Set<Substring> = {
    let all = """
      abort activate afterprint animationcancel animationend animationiteration animationstart auxclick \
      beforecopy beforecut beforeinput beforematch beforepaste beforeprint beforetoggle beforeunload begin blur \
      cancel canplay canplaythrough change click close command compositionend compositionstart compositionupdate \
      contextlost contextmenu contextrestored copy cuechange cut dblclick devicemotion deviceorientation drag dragend \
      dragenter dragexit dragleave dragover dragstart drop durationchange emptied end ended error focus focusin focusout \
      formdata fullscreenchange fullscreenerror gamepadconnected gamepaddisconnected gotpointercapture hashchange \
      input invalid keydown keypress keyup languagechange load loadeddata loadedmetadata loadend loadstart \
      lostpointercapture message messageerror mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup \
      mousewheel offline online orientationchange pagehide pageshow pagereveal pageswap paste pause play playing \
      pointercancel pointerdown pointerenter pointerleave pointermove pointerout pointerover pointerrawupdate pointerup \
      popstate progress propertychange ratechange readystatechange rejectionhandled repeat reset resize scroll \
      scrollend scrollsnapchange scrollsnapchanging search securitypolicyviolation seeked seeking select selectionchange \
      selectstart show slotchange stalled start storage submit suspend timeupdate toggle touchcancel touchend touchmove \
      touchstart transitioncancel transitionend transitionrun transitionstart unhandledrejection unload visibilitychange \
      volumechange waiting webkitanimationend webkitanimationiteration webkitanimationstart webkittransitionend wheel zoom
      """
    return Set(all.split(separator: " "))
  }()
}
