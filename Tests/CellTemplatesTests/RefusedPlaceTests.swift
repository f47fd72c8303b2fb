import Testing

@testable import CellTemplates

/// Checks the page about escaping name by name, in the order of that page: what is refused, what is allowed,
/// and where Go's html/template lets script through. The tables of `EscapingContextTests` are not repeated.
@Suite struct RefusedPlaceTests {
  typealias Case = EscapingContextTests.Case

  /// Attributes whose values are refused, as `ELEMENT ATTRIBUTE`.
  private static let refused = [
    // Attributes that determine an escaper.
    "script type", "meta http-equiv", "link rel", "b is", "iframe sandbox", "a target", "form target",
    // SVG animation.
    "set to", "set from", "set by", "set values", "set attributeName", "animate to", "animate from",
    "animate by",
    "animate values", "animate attributeName", "animateTransform to", "animateTransform from",
    "animateTransform by",
    "animateTransform values", "animateTransform attributeName", "animateMotion to", "animateMotion from",
    "animateMotion by", "animateMotion values", "animateMotion attributeName",
    // Attributes that load a document or set its base.
    "base href", "iframe srcdoc", "embed src", "frame src", "script src",
    "object data",
    "applet code", "applet codebase", "applet archive", "p xmlns", "svg xmlns:xlink",
    // Attributes that run scripts.
    "p onclick", "p ONLOAD", "svg onbegin", "p onanything",
    // Attributes that front-end libraries execute or evaluate.
    "p hx-on", "p hx-on:click", "p hx-trigger", "p hx-vals", "p hx-headers", "p hx-vars", "p hx-ext",
    "p hx-swap", "p hx-anything",
    "p x-data", "p x-html", "p @click", "p :href", "p v-html", "p v-bind:href", "p v-on:click", "p ng-app",
    "p ng-bind-html",
    "p ng-include", "p wire:click", "p wire:model", "p _",
    "p data-hx-on", "p data-hx-on:click", "p data-hx-trigger", "p data-hx-vals", "p data-x-data",
    "p data-v-html", "p data-ng-app",
    "p data-onclick", "p data-on", "p data-on-click", "p data-script", "p data-signals", "p data-effect",
    "p data-computed",
    "p data-bs-html", "p data-bs-content", "p data-bs-template", "p data-bs-title", "p data-action",
    // Names as AngularJS normalizes them: any of - : _ between the parts.
    "p data-ng:init", "p data-ng_init", "p data-ng:bind-html", "p data--ng-init", "p data-ng__init",
    "p data-x:html",
    "p data-v_html", "p data-wire_click", "p data-hx:on", "p data-hx_on", "p data-bs:html",
    "p data-signals_a",
    // Datastar.
    "p data-text", "p data-show", "p data-attr", "p data-attr-href", "p data-attr:href", "p data-class-a",
    "p data-class:a", "p data-style-color", "p data-style:color", "p data-bind-a", "p data-bind:a",
    "p data-computed:a", "p data-effect", "p data-signals:a", "p data-on:click", "p data-on__window",
    "p data-init",
    "p data-init__delay.500ms", "p data-text__once", "p data-show:a", "p data-star-text",
    "p data-star-class", "p data-star-style", "template data-star-for",
    "p data-star-on-click",
    "p data-json-signals", "p data-json-signals__terse", "p data-json_signals", "p data-custom-validity",
    "p data-animate", "p data-animate:a", "p data-persist", "p data-persist:a", "p data-persist__session",
    "p data-query-string", "p data-scroll-into-view", "p data-scroll-into-view__smooth",
    "p data-view-transition", "p data-replace-url", "p data-match-media", "p data-match-media:a",
    "p data-star-persist", "p data-if", "p data-else-if", "p data-import-esm:qr", "p data-import-iife:qr",
    "p data-props:a", "p data-rocket:x",
    // Without a separator, as its release candidates read them.
    "p data-attrhref", "p data-bindfoo", "p data-classfoo", "p data-computedfoo", "p data-signalsfoo",
    "p data-stylecolor", "p data-star-computedfoo",
    "template data-for:x", "p data-for__x", "p data-star-for:x", "p data-star-for__x", "p data-star-for",
    // A combining mark behind a prefix.
    "p data-signals-\u{301}x", "p data-attr-\u{301}href", "p data-x-\u{301}data", "p data-v-\u{301}html",
    "p x-\u{301}data", "p on\u{301}", "p hx-\u{301}x",
    // RequireJS, jQuery Unobtrusive, rails-ujs, old Bootstrap, Dojo, Intercooler, UIkit.
    "script data-main", "p data-main", "p data-ajax-begin", "p data-ajax-success", "p data-ajax-url",
    "p data-val-required", "p data-val-length-max", "p data-val_regex",
    "p data-disable-with", "p data-html", "p data-content", "p data-template", "p data-original-title",
    "p data-bs-config", "p data-container", "p data-viewport", "p data-include-vals", "p data-remote",
    "p data-include_vals",
    "button data-loading-text", "button data-complete-text", "button data-reset-text", "a data-method",
    "a data-caption", "a data-alt", "a alt", "a data-source",
    // Turbo.
    "button data-turbo-submits-with", "button data-turbo_submits-with", "a data-turbo-method",
    // jQuery Validation.
    "input data-msg", "input data-msg-required", "input data-msg_min", "input data-rule-remote",
    "input data-rule-pattern",
    // AngularJS takes `data-` off every name.
    "form data-name", "form data-_name", "form data--name",
    "p data-ujs:enable-with", "form data-ujs:submit-button-formaction", "p data-ujs_submit-button",
    "p data-sub-html", "a data-glightbox", "img data-interchange", "section data-markdown",
    "section data-background-iframe", "p data-intro", "option data-subtext",
    "section data-background-video", "section data-notes", "select data-none-selected-text",
    "select data-count-selected-text", "select data-none-results-text", "select data-select-all-text",
    "select data-tick-icon", "ul data-back-button", "ul data-scroll-top-element",
    "ul data-submenu-toggle-text", "div data-additional-overlay-classes",
    "input data-parsley-required-message", "input data-parsley-errors-wrapper",
    "input data-parsley-error-template", "input data-parsley-errors-container",
    "input data-parsley-class-handler", "input data-parsley-equalto", "input data-parsley-min",
    "script data-src", "embed data-src", "a data-sub-html-url", "a data-iframe-title",
    "a data-reveal-ajax", "p data-options",
    "p data-dojo-props", "p data-ic-on-success", "p data-uk-tooltip",
    "meta name",
    // Attributes on no list.
    "p unknown", "a download2", "script nonce", "p http-equiv2",
    // Static, and of other elements.
    "form method", "a referrerpolicy", "button command", "p nonce", "p usemap", "p srclang", "span align",
    "p bgcolor",
    "div popovertarget", "p data-onanimationend", "p data-onpointerdown", "p data-ontoggle",
  ]

  @Test(arguments: refused) func isRefusedWithItsPlace(_ name: String) throws {
    let words = name.split(separator: " ").map(String.init)
    let isVoid = ["base", "link", "meta", "embed", "frame"].contains(words[0])
    let isSVG = ["set", "animate", "animateTransform", "animateMotion", "svg"].contains(words[0])
    let start = (isSVG && words[0] != "svg" ? "<svg>" : "") + "<\(words[0]) \(words[1])=\""
    let end = "\">" + (isVoid ? "" : "</\(words[0])>") + (isSVG && words[0] != "svg" ? "</svg>" : "")
    let found = EscapingContextTests.judge(start + "{{x}}" + end)
    #expect(found.contains("1:\(start.utf8.count + 1) refused-attribute"), "\(found)")
    // Static values are the author's responsibility; they are refused only if the tag itself is.
    let fixed = EscapingContextTests.judge(start + "y" + end)
    #expect(!fixed.contains { $0.hasSuffix(" refused-attribute") }, "\(fixed)")
  }

  /// Attributes that are harmless everywhere and stay allowed.
  private static let plain =
    ("id class title alt lang dir value placeholder datetime name for headers scope colspan rowspan span width height "
    + "role tabindex label start min max step maxlength minlength size rows cols list pattern download hreflang "
    + "autocomplete inputmode enterkeyhint form slot part draggable spellcheck itemprop itemid itemtype "
    + "accesskey translate loading decoding "
    + "sizes aria-label aria-describedby data-x data-json data-id hx-target hx-select hx-include hx-indicator hx-confirm "
    + "contenteditable data-online data-once data-only data-on3 data-hx-target data-text-color data-show-more data-star-rating data-title data-init-value data-bs-target "
    + "data-val data-for data-import")
    .split(separator: " ").map(String.init)

  @Test(arguments: plain) func isPlainOnAnyElement(_ name: String) {
    #expect(EscapingContextTests.judge("<p \(name)=\"{{x}}\"></p>") == ["attribute"])
  }

  /// The owner may say a whole selector, a row only a part of a name in it.
  @Test func textGoesWhereTheSelectorSays() {
    for name in ["hx-swap-oob", "data-hx-swap-oob"] {
      func found(_ value: String) -> [String] { EscapingContextTests.judge("<p \(name)=\"\(value)\"></p>") }
      for value in ["beforeend:#list-{{x}}", "innerHTML:.row_{{x}}", "#a-{{#s}}{{x}}{{/s}}", "#a-{{x}}, #b"] {
        #expect(found(value) == ["selectorName"], "\(value)")
      }
      #expect(found("#a-{{x}}{{y}}") == ["selectorName", "selectorName"])
      #expect(found("{{owner.x}}") == ["attribute"])
      #expect(found("beforeend:#{{owner.x}}") == ["attribute"])
      for value in [
        "{{x}}", "beforeend:{{x}}", "beforeend:#{{x}}", "#a, {{x}}", "#a>{{x}}", "#a-{{#s}}, {{/s}}{{x}}",
        "{{#s}}#a-{{/s}}{{x}}",
        "#{{#s}}a{{/s}}{{x}}", "#a {{x}}", "[id={{x}}]", "#{{owner.x}}{{x}}", "a{{x}}", "#a\\{{x}}",
      ] {
        #expect(found(value).contains { $0.hasSuffix(" refused-attribute") }, "\(value): \(found(value))")
      }
    }
  }

  /// A name decides whether they are there, and is not printed.
  private static let booleans =
    ("hidden checked selected disabled readonly required multiple open reversed itemscope autofocus controls inert "
    + "loop muted novalidate")
    .split(separator: " ").map(String.init)

  @Test(arguments: booleans) func isBooleanOnAnyElement(_ name: String) {
    #expect(EscapingContextTests.judge("<p \(name)=\"{{x}}\"></p>") == [])
    #expect(EscapingContextTests.judge("<p \(name)=\"{{x}}{{y}}\"></p>") == ["1:4 mixed-boolean"])
  }

  /// `ELEMENT ATTRIBUTE` for attributes that contain a URL or a list of URLs.
  private static let urls: [(name: String, escaper: String)] = [
    ("a href", "url"), ("area href", "url"), ("img src", "url"), ("audio src", "url"), ("video src", "url"),
    ("source src", "url"),
    ("track src", "url"), ("input src", "url"), ("video poster", "url"), ("blockquote cite", "url"),
    ("q cite", "url"),
    ("del cite", "url"), ("ins cite", "url"), ("img longdesc", "url"), ("td background", "url"),
    ("a ping", "urlList"),
    ("form action", "url"), ("button formaction", "sameOriginURL"), ("input formaction", "sameOriginURL"),
    ("p data-formaction", "sameOriginURL"),
    ("img srcset", "srcset"),
    ("source srcset", "srcset"), ("p data-src", "url"), ("p data-href", "url"), ("p data-poster", "url"),
    ("p data-image-src", "url"),
    ("p data-thumb-url", "url"), ("p data-uri", "url"), ("p data-srcset", "srcset"),
    ("p hx-get", "sameOriginURL"),
    ("p hx-post", "sameOriginURL"), ("p hx-put", "sameOriginURL"), ("p hx-patch", "sameOriginURL"),
    ("p hx-delete", "sameOriginURL"), ("p hx-push-url", "sameOriginURL"),
    ("p hx-replace-url", "sameOriginURL"),
    ("p data-hx-delete", "sameOriginURL"), ("p data-hx:get", "sameOriginURL"),
    ("p data-hx_post", "sameOriginURL"),
    ("p sse-connect", "sameOriginURL"), ("p ws-connect", "sameOriginURL"),
    ("p data-sse-connect", "sameOriginURL"),
    ("p data-ws-connect", "sameOriginURL"), ("p data-ws:connect", "sameOriginURL"),
    ("p data-image_src", "url"),
    ("p data-xlink:href", "url"), ("p data-val-remote-url", "sameOriginURL"),
    ("p data-update-uri", "sameOriginURL"), ("p data-module-url", "sameOriginURL"),
  ]

  @Test(arguments: urls) func isCheckedAsURL(_ name: String, _ escaper: String) {
    let words = name.split(separator: " ").map(String.init)
    let isVoid = ["area", "img", "source", "track", "input"].contains(words[0])
    let template = "<\(words[0]) \(words[1])=\"{{x}}\">" + (isVoid ? "" : "</\(words[0])>")
    #expect(EscapingContextTests.judge(template) == [escaper])
  }

  @Test(
    arguments: [
      Case("<svg><a href=\"{{x}}\"></a><image href=\"{{x}}\"/></svg>", "url", "url"),
      Case("<svg><a xlink:href=\"{{x}}\"></a><image xlink:href=\"{{x}}\"/></svg>", "url", "url"),
      Case("<svg><use xlink:href=\"{{x}}\"/></svg>", "fragmentURL"),
      Case("<p data-target=\"{{x}}\" data-parent=\"{{x}}\"></p>", "fragmentURL", "fragmentURL"),
      Case("<p data-target=\"#menu-{{x}}\"></p>", "urlComponent"),
      // Same-origin URLs only, checked as a whole.
      Case("<i hx-get=\"javascript:{{x}}\"></i>", "1:23 unsafe-url-start"),
      Case("<i hx-get=\"/\\{{x}}\"></i>", "1:14 unsafe-url-start"),
      Case("<i hx-post=\"{{x}}{{y}}\"></i>", "1:18 ambiguous-url"),
      Case("<i hx-put=\"{{x}}#{{y}}\"></i>", "sameOriginURL", "urlComponent"),
    ] as [Case])
  func linksOfOtherKinds(_ row: Case) { #expect(EscapingContextTests.judge(row.template) == row.expected) }

  /// The rows of "Where Go still lets script through", one by one.
  @Test(
    arguments: [
      Case("<iframe srcdoc=\"{{x}}\"></iframe>", "1:17 refused-attribute"),
      Case("<a/href=\"{{x}}\"></a>", "url"), Case("<a//href=\"{{x}}\"></a>", "url"),
      Case("<a x/href=\"{{x}}\"></a>", "url"),
      Case("<a hre{{x}}=\"/\"></a>", "1:7 dynamic-name"),
      Case("<a href=\"{{x}}:alert(1)\"></a>", "1:15 unsafe-url-start"),
      Case("<a href=\"j{{x}}\"></a>", "1:11 unsafe-url-start"),
      Case("<a href=\"java{{x}}\"></a>", "1:14 unsafe-url-start"),
      Case("<a href=\"d{{x}}\"></a>", "1:11 unsafe-url-start"), Case("<a href=\"\u{1}{{x}}\"></a>", "url"),
      Case("<a href=\"\u{1}j{{x}}\"></a>", "1:12 unsafe-url-start"),
      Case("<a href=\"javascript:{{x}}\"></a>", "1:21 unsafe-url-start"),
      Case("<a href=\" JavaScript:alert({{x}})\"></a>", "1:28 unsafe-url-start"),
      Case(
        "<script type=text/javascript type=unknown>{{x}}</script>", "1:30 duplicate-attribute",
        "1:43 refused-place"),
      Case("<script>`{{x}}`</script>", "1:10 refused-place"),
      Case("<script>/{{x}}/</script>", "1:10 refused-place"),
      Case("<script>`${ `{{x}}` }`</script>", "1:14 refused-place"),
      Case("<svg><set attributeName=href to=\"{{x}}\"/></svg>", "1:34 refused-attribute"),
      Case("<svg><animate attributeName=\"{{x}}\"/></svg>", "1:30 refused-attribute"),
      Case("<meta http-equiv=refresh content=\"{{x}}\">", "1:35 refused-attribute"),
      Case("<meta http-equiv = refresh content = \"0;url={{x}}\">", "1:45 refused-attribute"),
      Case("<meta content=\"{{x}}\" http-equiv\n=\n\"refresh\">", "1:16 refused-attribute"),
      Case("<p>&#{{x}};</p>", "1:6 unfinished-reference"),
      Case("<p>&lt{{x}};</p>", "1:7 unfinished-reference"),
      Case("<i hx-get=\"{{x}}\"></i>", "sameOriginURL"),
      Case("<i hx-on=\"{{x}}\"></i>", "1:11 refused-attribute"),
      Case("<i hx-trigger=\"{{x}}\"></i>", "1:16 refused-attribute"),
      Case("<i _=\"{{x}}\"></i>", "1:7 refused-attribute"),
      Case("<a title={{x}} href=/></a>", "1:10 unquoted-value"),
      Case("<script type=\"\">{{x}}</script>", "1:17 refused-place"),
      Case("<script>'<!--{{x}}'</script>", "1:10 invalid-markup", "1:14 refused-place"),
      Case("<script>'</script>{{x}}'", "html"),
      Case("<script>/* {{x}} */</script>", "1:12 refused-place"),
    ] as [Case])
  func casesThatPassInGoAreRefusedOrHarmless(_ row: Case) {
    #expect(EscapingContextTests.judge(row.template) == row.expected)
  }

  @Test(
    arguments: [
      Case("<plaintext>{{x}}", "1:1 misplaced-element", "1:1 unclosed-element"),
      Case("<a title=\"x\" {{#y}}title=\"z\"{{/y}}></a>", "1:20 duplicate-attribute"),
      Case("<p data-title=\"{{x}}\" data-html=\"true\"></p>", "1:4 refused-attribute"),
      Case("<p data-html=\"true\" data-title=\"{{x}}\"></p>", "1:21 refused-attribute"),
      Case("<p data-html=\"true\" data-title=\"a\" title=\"{{x}}\"></p>", "1:36 refused-attribute"),
      Case("<p title=\"{{x}}\" data-html></p>", "1:4 refused-attribute"),
      Case("<p data-bs-html=\"true\" title=\"{{x}}\"></p>", "1:24 refused-attribute"),
      Case("<p data-bs-html=\"true\" data-title=\"{{x}}\"></p>", "1:24 refused-attribute"),
      Case("<a data-toggle=\"modal\" href=\"{{x}}\"></a>", "1:24 refused-attribute"),
      Case("<a href=\"{{x}}\" data-toggle=\"Modal\"></a>", "1:4 refused-attribute"),
      // Overrides may have values.
      Case("<p {{$c}}title=\"a\"{{/c}} data-html=\"true\"></p>", "1:10 refused-attribute"),
      Case("<p data-html=\"true\" {{#y}}{{$c}}title=\"a\"{{/c}}{{/y}}></p>", "1:33 refused-attribute"),
      Case("<p {{$c}}name=\"a\"{{/c}} ng-form></p>", "1:10 refused-attribute"),
      Case("<p {{$c}}data-x=\"a\"{{/c}} uk-grid></p>", "1:10 refused-attribute"),
      Case("<p data-remote=\"true\" {{$c}}data-type=\"json\"{{/c}}></p>", "1:29 refused-attribute"),
      Case("<template {{$c}}data-for=\"a\"{{/c}}></template>", "1:17 refused-attribute"),
      Case("<a {{$t}}data-toggle=\"tab\"{{/t}} href=\"{{u}}\"></a>", "1:34 refused-attribute"),
      // What else is beside it counts, too.
      Case("<a href=\"{{x}}\" data-remote=\"true\" data-toggle=\"tab\"></a>", "1:4 refused-attribute"),
      Case("<a data-toggle=\"tab\" data-ajax=\"true\" href=\"{{x}}\"></a>", "1:39 refused-attribute"),
      Case("<a href=\"{{x}}\" data-dojo-type=\"a\" data-toggle=\"tab\"></a>", "1:4 refused-attribute"),
      Case("<p hx-boost=\"true\"><a href=\"{{x}}\" data-toggle=\"tab\"></a></p>", "1:23 refused-attribute"),
      Case("<a uk-tooltip title=\"{{x}}\"></a>", "1:15 refused-attribute"),
      Case("<a data-allow-html title=\"{{x}}\"></a>", "1:20 refused-attribute"),
      Case("<a data-allow-html data-tip-text=\"{{x}}\"></a>", "1:20 refused-attribute"),
      Case("<p data-title=\"{{x}}\" data-intro=\"Step\"></p>", "1:4 refused-attribute"),
      Case("<a data-title=\"{{x}}\" data-lightbox=\"g\" href=\"/a.png\"></a>", "1:4 refused-attribute"),
      Case(
        "<a data-title=\"{{x}}\" data-description=\"{{x}}\" data-tooltip=\"{{x}}\"></a>", "attribute",
        "attribute", "attribute"),
      Case("<a data-fancybox data-type=\"ajax\" href=\"{{x}}\"></a>", "1:35 refused-attribute"),
      Case("<a data-fancybox data-type=\"ajax\" href=\"/{{x}}\"></a>", "urlAfterSlash"),
      Case("<a data-src=\"{{x}}\" data-fancybox-type=\"ajax\"></a>", "1:4 refused-attribute"),
      Case("<a data-fancybox data-type=\"image\" href=\"{{x}}\"></a>", "url"),
      Case("<a data-reveal-id=\"m\" data-reveal-ajax=\"true\" href=\"{{x}}\"></a>", "1:47 refused-attribute"),
      Case("<a data-tooltip title=\"{{x}}\"></a>", "1:17 refused-attribute"),
      Case("<iframe data-src=\"{{x}}\"></iframe>", "1:19 unsafe-url-start"),
      Case("<a data-preview-link=\"{{x}}\"></a>", "url"),
      Case("<a data-thumb=\"{{x}}\" data-fancybox=\"g\" href=\"{{y}}\"></a>", "1:4 refused-attribute"),
      Case("<a data-fancybox=\"g-{{x}}\" href=\"{{y}}\"></a>", "attribute", "url"),
      Case("<iframe data-lazy-src=\"{{x}}\"></iframe>", "1:24 unsafe-url-start"),
      Case("<script data-lazysrc=\"{{x}}\"></script>", "1:23 refused-attribute"),
      Case("<link rel=\"stylesheet\" data-href=\"{{x}}\">", "1:35 unsafe-url-start"),
      Case("<p data-slick=\"{{x}}\"></p>", "1:16 refused-attribute"),
      Case("<p data-fv-x-message=\"{{x}}\"></p>", "1:23 refused-attribute"),
      Case("<p data-win-bind=\"{{x}}\"></p>", "1:19 refused-attribute"),
      Case("<a data-fancybox data-thumb=\"{{x}}\"></a>", "1:18 refused-attribute"),
      Case("<a data-fancybox data-src=\"{{x}}\" href=\"{{y}}\"></a>", "url", "url"),
      Case("<a data-thumb=\"{{x}}\"></a>", "attribute"),
      Case("<ul data-drilldown data-wrapper=\"{{x}}\"></ul>", "1:20 refused-attribute"),
      Case("<div data-append-to=\"{{x}}\" data-reveal></div>", "1:6 refused-attribute"),
      Case("<a title=\"{{x}}\" data-uk-tooltip=\"\"></a>", "1:4 refused-attribute"),
      Case("<a uk-tooltip data-title=\"{{x}}\"></a>", "1:15 refused-attribute"),
      Case("<input data-provide=\"typeahead\" data-source=\"{{x}}\">", "1:33 refused-attribute"),
      Case("<input data-provide=\"typeahead\" data-item=\"{{x}}\">", "1:33 refused-attribute"),
      Case("<input data-item=\"{{x}}\">", "attribute"),
      Case("<meta name=\"CSRF-Param\" content=\"{{x}}\">", "1:25 refused-attribute"),
      Case("<meta name=\"csrf-token\" content=\"{{x}}\">", "1:25 refused-attribute"),
      Case("<meta name=\"CSRF-token\" content=\"a{{owner.a}}{{#y}}{{x}}{{/y}}\">", "1:25 refused-attribute"),
      Case("<meta name=\"csrf-token\" content=\"{{owner.csrf}}\">", "attribute"),
      Case("<meta content=\"{{x}}\" name=\"csp-nonce\">", "1:7 refused-attribute"),
      Case("<meta name=\"csp-nonce\" content=\"{{owner.nonce}}\">", "attribute"),
      Case("<meta name=\"csrf-param\" content=\"{{owner.csrf}}\">", "1:25 refused-attribute"),
      Case("<meta content=\"{{x}}\" name=\"HTMX-config\">", "1:7 refused-attribute"),
      Case("<meta name=\"turbo-root\" content=\"{{x}}\">", "1:25 refused-attribute"),
      Case("<meta name=\"turbo-root\" content=\"/{{x}}\">", "1:25 refused-attribute"),
      Case("<meta name=\"referrer\" content=\"{{x}}\">", "1:23 refused-attribute"),
      Case("<meta name=\"turbo-visit-control\" content=\"{{x}}\">", "attribute"),
      Case("<a data-ajax=\"true\" href=\"{{x}}\"></a>", "1:21 refused-attribute"),
      Case("<a href=\"{{x}}\" data-ajax=\"true\"></a>", "1:4 refused-attribute"),
      Case("<a {{#y}}data-ajax=\"true\"{{/y}} href=\"{{x}}\"></a>", "1:33 refused-attribute"),
      Case("<a data-ajax=\"true\" href=\"/{{x}}\"></a>", "urlAfterSlash"),
      Case("<form data-ajax=\"true\" action=\"{{x}}\"></form>", "1:24 refused-attribute"),
      Case("<a data-remote=\"true\" href=\"{{x}}\"></a>", "1:23 refused-attribute"),
      Case("<a data-remote=\"true\" href=\"/orders/{{x}}\"></a>", "urlPart"),
      Case("<form data-remote action=\"{{x}}\"></form>", "1:19 refused-attribute"),
      Case("<select data-remote=\"true\" data-url=\"{{x}}\"></select>", "1:28 refused-attribute"),
      Case("<a data-remote=\"true\" href=\"/a/{{x}}\" data-type=\"{{y}}\"></a>", "1:39 refused-attribute"),
      Case("<p data-type=\"{{y}}\"></p>", "attribute"),
      Case("<select data-remote=\"true\" data-url=\"/a/{{x}}\"></select>", "urlPart"),
      Case("<p data-url=\"{{x}}\"></p>", "url"),
      // A scheme or two slashes leave the host to the value.
      Case("<form hx-boost=\"true\" action=\"https:{{x}}\"></form>", "1:23 refused-attribute"),
      Case("<form hx-boost=\"true\" action=\"https://{{x}}/\"></form>", "1:23 refused-attribute"),
      Case("<form hx-boost=\"true\" action=\"//{{x}}/\"></form>", "1:23 refused-attribute"),
      Case("<form hx-boost=\"true\" action=\"//{{x}}.example/\"></form>", "1:23 refused-attribute"),
      Case("<form hx-boost=\"true\" action=\"https://a.example/{{x}}\"></form>", "urlPart"),
      Case("<a data-remote=\"true\" href=\"https://{{x}}.a.example/\"></a>", "1:23 refused-attribute"),
      Case("<a data-remote=\"true\" href=\"https:{{x}}\"></a>", "1:23 refused-attribute"),
      Case("<a data-ajax=\"true\" href=\"//{{x}}\"></a>", "1:21 refused-attribute"),
      Case("<a data-ajax=\"true\" href=\"//a.example/{{x}}\"></a>", "urlPart"),
      Case("<img uk-svg alt=\"\" src=\"//{{x}}/\">", "1:20 refused-attribute"),
      Case("<a data-dojo-type=\"dijit/layout/ContentPane\" href=\"{{x}}\"></a>", "1:46 refused-attribute"),
      Case("<a data-dojo-type=\"dijit/layout/ContentPane\" href=\"/a/{{x}}\"></a>", "urlPart"),
      Case("<div data-dojo-type=\"dijit/TitlePane\" title=\"{{x}}\"></div>", "1:39 refused-attribute"),
      Case("<div dojoType=\"dijit.Tooltip\" label=\"{{x}}\"></div>", "1:31 refused-attribute"),
      Case("<input data-dojo-type=\"dijit/form/NumberTextBox\" pattern=\"{{x}}\">", "1:50 refused-attribute"),
      Case("<div headers=\"{{x}}\" data-dojo-type=\"dojo/store/JsonRest\"></div>", "1:6 refused-attribute"),
      Case("<input dojoType=\"a\" data-note=\"{{x}}\">", "1:21 refused-attribute"),
      Case("<div data-dojo-type=\"a\" onclick=\"{{x}}\"></div>", "1:34 refused-attribute"),
      Case("<div data-dojo-type=\"a\" id=\"{{x}}\"></div>", "attribute"),
      Case("<option label=\"{{x}}\">a</option>", "attribute"),
      Case("<a data-uk-lightbox href=\"/a.png\" title=\"{{x}}\"></a>", "1:35 refused-attribute"),
      Case(
        "<div hx-boost=true data-hx-boost=false><form action=\"{{x}}\"></form></div>",
        "1:46 refused-attribute"),
      // A form in any cell would be followed.
      Case("<div hx-boost=\"true\">{{>*k}}</div>", "1:22 dynamic-partial-outside-text"),
      // Bootstrap shows the tooltips of what is inside as HTML.
      Case("<ul data-html=1 data-selector=b><li><b title=\"{{x}}\"></b></li></ul>", "1:40 refused-attribute"),
      Case(
        "<ul data-bs-selector=b data-bs-html=1><template><b data-title=\"{{x}}\"></b></template></ul>",
        "1:52 refused-attribute"),
      Case("<ul data-html=1 data-selector=\"{{y}}\"></ul>", "1:17 refused-attribute"),
      Case("<ul data-html=1 data-selector=b>{{>*k}}</ul>", "1:33 dynamic-partial-outside-text"),
      Case("<ul data-html=1 data-selector=b></ul><b title=\"{{x}}\"></b>", "attribute"),
      Case("<ul data-selector=b><li title=\"{{x}}\"></li></ul>", "attribute"),
      Case("<div hx-boost=\"true\"></div>{{>*k}}<b title=\"{{x}}\"></b>", "attribute"),
      // AngularJS evaluates them.
      Case("<form name=\"{{x}}\"></form>", "1:13 refused-attribute"),
      Case("<ng-form name=\"{{x}}\"></ng-form>", "1:16 refused-attribute"),
      Case("<data-ng:form name=\"{{x}}\"></data-ng:form>", "1:21 refused-attribute"),
      Case("<div ng-form name=\"{{x}}\"></div>", "1:14 refused-attribute"),
      Case("<div name=\"{{x}}\" data-ng-form></div>", "1:6 refused-attribute"),
      Case("<ng-messages for=\"{{x}}\"></ng-messages>", "1:19 refused-attribute"),
      Case("<div ng-messages for=\"{{x}}\"></div>", "1:18 refused-attribute"),
      Case("<p ng-animate-swap for=\"{{x}}\"></p>", "1:20 refused-attribute"),
      Case("<div class=\"a ng-form\" name=\"{{x}}\"></div>", "1:24 refused-attribute"),
      Case("<div class=ngForm name=\"{{x}}\"></div>", "1:19 refused-attribute"),
      Case("<div class=ng-Form name=\"{{x}}\"></div>", "1:20 refused-attribute"),
      Case("<div class=x_ngForm name=\"{{x}}\"></div>", "1:21 refused-attribute"),
      Case("<div class=ng--form name=\"{{x}}\"></div>", "1:21 refused-attribute"),
      Case("<div class='ng&#45;form' name=\"{{x}}\"></div>", "1:26 refused-attribute"),
      Case("<div class=\"ng-form {{y}}\" name=\"{{x}}\"></div>", "1:28 refused-attribute"),
      Case("<div name=\"{{x}}\" class=\"{{y}} ng-form\"></div>", "1:6 refused-attribute"),
      Case("<div class=\"ng-{{y}}form\" name=\"{{x}}\"></div>", "1:27 refused-attribute"),
      Case("<div class=\"a{{#y}} ng-form{{/y}}\" name=\"{{x}}\"></div>", "1:36 refused-attribute"),
      Case("<div class=\"ng-{{#y}}zz{{/y}}form\" name=\"{{x}}\"></div>", "1:36 refused-attribute"),
      Case(
        "<div class=\"ng-{{#y}}zz{{/y}}{{^y}}form{{/y}}\" name=\"{{x}}\"></div>", "1:48 refused-attribute"),
      Case(
        "<div class=\"{{#y}}ng{{/y}}{{^y}}x-ng{{/y}}{{#z}}-f{{/z}}orm\" name=\"{{x}}\"></div>",
        "1:62 refused-attribute"),
      Case(
        "<div class=\"{{#l}}{{#c}}m{{/c}}{{#b}}for{{/b}}{{#a}}ng-{{/a}}{{/l}}\" name=\"{{x}}\"></div>",
        "1:70 refused-attribute"),
      Case("<div class=\"ng{{$y}}-hide{{/y}}-form\" name=\"{{x}}\"></div>", "1:39 refused-attribute"),
      Case("<div class=\"ng-forms{{#y}} ng-hide{{/y}}-form\" name=\"{{x}}\"></div>", "attribute"),
      Case("<div class=\"login{{#y}}-big{{/y}}-form {{$z}}a{{/z}}-form\" name=\"{{x}}\"></div>", "attribute"),
      Case("<div class=\"{{#y}}ng-{{/y}}{{^y}}is-{{/y}}hide\" name=\"{{x}}\"></div>", "attribute"),
      Case("<div {{#y}}class=\"ng-form\"{{/y}} name=\"{{x}}\"></div>", "1:34 refused-attribute"),
      Case("<div class=\"{{y}} ngInclude: 'a'\" data-autoscroll=\"{{x}}\"></div>", "1:35 refused-attribute"),
      Case("<div ng--form name=\"{{x}}\"></div>", "1:15 refused-attribute"),
      Case("<div data-ng_-form name=\"{{x}}\"></div>", "1:20 refused-attribute"),
      Case("<ng--form name=\"{{x}}\"></ng--form>", "1:11 refused-attribute"),
      Case("<div ng--messages for=\"{{x}}\"></div>", "1:19 refused-attribute"),
      Case("<svg><stop ng-pluralize offset=\"{{x}}\"/></svg>", "1:25 refused-attribute"),
      Case("<audio ng-include src=\"/{{x}}\"></audio>", "1:19 refused-attribute"),
      Case("<img alt=\"\" src=\"{{x}}\" data-ng:include>", "1:13 refused-attribute"),
      Case("<video class=\"a ng-include\" src=\"{{x}}\"></video>", "1:29 refused-attribute"),
      Case("<iframe x-ng-include src=\"/v/{{x}}\"></iframe>", "1:22 refused-attribute"),
      Case("<input ng-messages-include src=\"{{x}}\">", "1:28 refused-attribute"),
      Case("<img ng-if=\"a\" alt=\"\" src=\"{{x}}\">", "url"),
      Case("<img ng-include=\"'a'\" src=\"a.png\" alt=\"{{x}}\">", "attribute"),
      Case("<input name=\"{{x}}\">", "attribute"),
      Case("<label for=\"{{x}}\"></label>", "attribute"),
      // It takes `data-` off every name.
      Case("<form ng-submit=\"a()\" data-name=\"{{x}}\"></form>", "1:34 refused-attribute"),
      Case("<ng-form data-name=\"{{x}}\"></ng-form>", "1:10 refused-attribute"),
      Case("<div ng-form data-name=\"{{x}}\"></div>", "1:14 refused-attribute"),
      Case("<div data-x=\"{{x}}\" data-ng_form></div>", "1:6 refused-attribute"),
      Case("<div data-x=\"{{x}}\" {{#y}}data-ng:form{{/y}}></div>", "1:6 refused-attribute"),
      Case("<ng-messages data-for=\"{{x}}\"></ng-messages>", "1:14 refused-attribute"),
      Case("<x-ng:messages data-for=\"{{x}}\"></x-ng:messages>", "1:16 refused-attribute"),
      Case("<div ng-messages=\"a\" data-multiple=\"{{x}}\"></div>", "1:22 refused-attribute"),
      Case("<p ng-message data-when-exp=\"{{x}}\"></p>", "1:15 refused-attribute"),
      Case("<ng-pluralize data-count=\"{{x}}\"></ng-pluralize>", "1:15 refused-attribute"),
      Case("<p ng-pluralize count=\"1\" data-offset=\"{{x}}\"></p>", "1:27 refused-attribute"),
      Case("<div ng-include=\"'a'\" data-autoscroll=\"{{x}}\"></div>", "1:23 refused-attribute"),
      Case("<div class=\"ng-include: 'a'\" data-autoscroll=\"{{x}}\"></div>", "1:30 refused-attribute"),
      Case("<div class=\"ng-cloak\" data-a=\"{{x}}\"></div>", "attribute"),
      Case("<div ng-non-bindable data-a=\"{{x}}\"></div>", "attribute"),
      Case("<div ng-click=\"a()\" data-a=\"b\" id=\"{{x}}\"{{#y}} data-c=\"d\"{{/y}}></div>", "attribute"),
      Case(
        "<div ng-click=\"a()\" data-src=\"{{x}}\" data-for=\"{{x}}\"></div>", "1:21 refused-attribute",
        "1:38 refused-attribute"),
      // As does UIkit with its options. It makes elements of them.
      Case("<div uk-sticky data-sel-target=\"{{x}}\"></div>", "1:16 refused-attribute"),
      Case("<div data-sel-target=\"{{x}}\" data-uk-sticky></div>", "1:6 refused-attribute"),
      Case("<ul uk-accordion data-targets=\"{{x}}\"></ul>", "1:18 refused-attribute"),
      Case("<nav uk-navbar data-dropdown=\"{{x}}\"></nav>", "1:16 refused-attribute"),
      Case("<ul uk-sortable data-handle=\"{{x}}\"></ul>", "1:17 refused-attribute"),
      Case("<div ng-if=\"a\" uk-svg data-src=\"/{{x}}\"></div>", "1:23 refused-attribute"),
      Case("<img uk-img alt=\"\" data-src=\"{{x}}\" id=\"{{x}}\">", "url", "attribute"),
      Case("<div uk-toggle data-target=\"#{{x}}\"></div>", "urlComponent"),
      // Intercooler enhances what is inside.
      Case("<form ic-enhance=\"true\" action=\"{{x}}\"></form>", "1:25 refused-attribute"),
      Case("<a data-ic-enhance=\"true\" href=\"{{x}}\"></a>", "1:27 refused-attribute"),
      Case("<div ic-enhance=\"true\"><form action=\"{{x}}\"></form></div>", "1:30 refused-attribute"),
      Case("<div ic-enhance=\"true\"><b><a href=\"//{{x}}/\"></a></b></div>", "1:30 refused-attribute"),
      Case("<div ic-enhance=\"true\"><a href=\"/{{x}}\"></a></div>", "urlAfterSlash"),
      Case(
        "<div ic-enhance=\"true\"><div hx-boost=\"false\"><a href=\"{{x}}\"></a></div></div>",
        "1:49 refused-attribute"),
      Case("<div ic-enhance=\"true\"></div><a href=\"{{x}}\"></a>", "url"),
      Case("<div ic-enhance=\"false\"><a href=\"{{x}}\"></a></div>", "url"),
      Case("<div ic-enhance=\"true\">{{>*k}}</div>", "1:24 dynamic-partial-outside-text"),
      Case("<form hx-boost=\"true\" action=\"{{x}}\"></form>", "1:23 refused-attribute"),
      Case("<form data-hx-boost=\"true\" action=\"?{{x}}\"></form>", "urlComponent"),
      Case("<a hx-boost=\"true\" href=\"{{x}}\"></a>", "1:20 refused-attribute"),
      Case("<div data-hx-boost=\"true\"><a href=\"//{{x}}/\"></a></div>", "1:30 refused-attribute"),
      Case("<div hx-boost=\"true\"><a href=\"/{{x}}\"></a></div>", "urlAfterSlash"),
      Case("<div hx-boost=\"true\"><b hx-boost=\"false\"><a href=\"{{x}}\"></a></b></div>", "url"),
      Case("<img uk-svg alt=\"\" src=\"{{x}}\">", "1:20 refused-attribute"),
      Case("<img alt=\"\" src=\"{{x}}\">", "url"),
      Case("<img data-uk-svg alt=\"\" data-src=\"{{x}}\">", "1:25 refused-attribute"),
      Case("<div hx-boost=\"true\"><form action=\"{{x}}\"></form></div>", "1:28 refused-attribute"),
      Case("<div data-hx-boost=\"{{y}}\"></div>", "1:21 refused-attribute"),
      Case(
        "<div {{#y}}hx-boost=\"true\"{{/y}}><b><form action=\"{{x}}\"></form></b></div>",
        "1:43 refused-attribute"),
      Case(
        "<table hx-boost=\"true\"><tr><td><template><form action=\"{{x}}\"></form></template></td></tr></table>",
        "1:48 refused-attribute"),
      Case("<div hx-boost=\"true\"><form action=\"/{{x}}\"></form></div>", "urlAfterSlash"),
      Case(
        "<div hx-boost=\"true\"><form hx-boost=\"false\" action=\"/a\"><b title=\"{{x}}\"></b></form></div>",
        "attribute"),
      Case("<div hx-boost=\"true\"><p hx-boost=\"false\"></p></div><form action=\"{{x}}\"></form>", "url"),
      Case(
        "<div hx-boost=\"true\"><div hx-boost=\"false\"><form action=\"{{x}}\"></form></div></div>", "url"),
      Case("<template scope=\"{{x}}\"></template>", "1:18 refused-attribute"),
      Case("<th scope=\"{{x}}\"></th>", "attribute"),
      Case("<ng-pluralize offset=\"{{x}}\"></ng-pluralize>", "1:23 refused-attribute"),
      Case("<svg><stop offset=\"{{x}}\"/></svg>", "attribute"),
      Case("<meta name=\"Turbolinks-root\" content=\"{{x}}\">", "1:30 refused-attribute"),
      Case("<meta name=\"action-cable-url\" content=\"{{x}}\">", "1:31 refused-attribute"),
      Case("<template data-for=\"{{x}}\"></template>", "1:11 refused-attribute"),
      Case("<a data-toggle=\"tab\" href=\"#{{x}}\"></a>", "urlComponent"),
      Case("<p data-html=\"true\" title=\"a\" id=\"{{x}}\"></p>", "attribute"),
      Case("<meta {{#x}}http-equiv=\"a\"{{/x}}>", "1:13 conditional-attribute"),
      Case("<meta {{#x}}name=\"a\"{{/x}} content=\"{{y}}\">", "1:13 conditional-attribute"),
      Case("<meta name=\"{{#x}}a{{/x}}\" content=\"{{y}}\">", "1:13 conditional-attribute"),
      Case("<link {{#x}}rel=\"icon\"{{/x}} href=\"/\">", "1:13 conditional-attribute"),
      Case("<iframe {{#x}}sandbox=\"\"{{/x}}></iframe>", "1:15 conditional-attribute"),
      Case("<b {{#x}}is=\"c-d\"{{/x}}></b>", "1:10 conditional-attribute"),
      Case("<p title=\"{{&x}}\"></p>", "1:11 raw-outside-text"),
      Case("<textarea>{{{x}}}</textarea>", "1:11 raw-outside-text"),
      Case("<script type=\"application/json\">{{{x}}}</script>", "1:33 raw-outside-text"),
    ] as [Case])
  func theOthersOfThePage(_ row: Case) { #expect(EscapingContextTests.judge(row.template) == row.expected) }
}
