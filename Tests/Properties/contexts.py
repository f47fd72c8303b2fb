"""Every place in a template where a value is allowed, one per line.

A context is a cell's template, the place in its output where the value `v` appears, and the judge of that place. The
rest of the output must be the same for every value. To add a context, add a line.
"""

import dataclasses

import judges


@dataclasses.dataclass(frozen=True)
class Context:
    name: str
    template: str
    # "p" for the text of the first `p`, "p@title" for its attribute.
    place: str
    judge: object
    # A nib: the template is a cell of its own, an element with `data-cell`.
    is_nib: bool = False
    # A text cell: nothing is known of HTML.
    is_text: bool = False
    # Attributes of the element `x-card`, as a manifest declares them: names with their types.
    custom: tuple = ()

    @property
    def file(self):
        return "context.html" if self.is_nib else "context.txt.mustache" if self.is_text else "context.mustache"


def custom(name, template, place, judge, *attributes, is_nib=False):
    return Context(name, template, place, judge, is_nib=is_nib, custom=attributes)


def nib(name, template, place, judge):
    return Context(name, template, place, judge, is_nib=True)


ALL = [
    Context("text", "<p>{{v}}</p>", "p", judges.text),
    Context("text in parts", "<p>a{{v}}b</p>", "p", judges.Parts(judges.text, "a", "b")),
    Context("text in a table", "<table><tbody><tr><td>{{v}}</td></tr></tbody></table>", "td", judges.text),
    Context("text in svg", "<svg><text>{{v}}</text></svg>", "text", judges.text),
    Context("pre", "<pre>{{v}}</pre>", "pre", judges.text),
    Context("title in svg", "<svg><title>{{v}}</title></svg>", "title", judges.text),
    Context("textarea", "<textarea>{{v}}</textarea>", "textarea", judges.text),
    Context("textarea in parts", "<textarea>a{{v}}b</textarea>", "textarea", judges.Parts(judges.text, "a", "b")),
    Context("option", "<select><option>{{v}}</option></select>", "option", judges.text),
    Context("attribute", "<p title=\"{{v}}\">x</p>", "p@title", judges.attribute),
    custom("custom attribute", "<x-card note=\"{{v}}\">x</x-card>", "x-card@note", judges.attribute, ("note", "string")),
    custom("custom URL", "<x-card photo-src=\"{{v}}\">x</x-card>", "x-card@photo-src", judges.own_origin,
           ("photo-src", "string")),
    custom("custom URL of any scheme", "<x-card home=\"{{v}}\">x</x-card>", "x-card@home", judges.url, ("home", "URL")),
    custom("custom attribute, bound", "<x-card data-cell=\"context\" data-bind=\"note:v\">x</x-card>", "x-card@note",
           judges.attribute, ("note", "string"), is_nib=True),
    Context("attribute in single quotes", "<p title='{{v}}'>x</p>", "p@title", judges.attribute),
    Context("attribute in parts", "<p class=\"a {{v}} b\">x</p>", "p@class", judges.Parts(judges.attribute, "a ", " b")),
    Context("attribute, twice", "<p title=\"{{v}}{{v}}\">x</p>", "p@title", judges.Twice(judges.attribute)),
    Context("attribute, conditional", "<p title=\"{{#v}}{{v}}{{/v}}{{^v}}{{v}}{{/v}}\">x</p>", "p@title", judges.attribute),
    Context("value", "<input value=\"{{v}}\">", "input@value", judges.attribute),
    Context("aria", "<p aria-label=\"{{v}}\">x</p>", "p@aria-label", judges.attribute),
    Context("data", "<p data-note=\"{{v}}\">x</p>", "p@data-note", judges.attribute),
    Context("svg attribute", "<svg><circle r=\"{{v}}\"></circle></svg>", "circle@r", judges.attribute),
    Context("meta content", "<meta name=\"a\" content=\"{{v}}\">", "meta@content", judges.attribute),
    Context("link", "<a href=\"{{v}}\">x</a>", "a@href", judges.url),
    Context("link in single quotes", "<a href='{{v}}'>x</a>", "a@href", judges.url),
    Context("link, odd slashes", "<a/href=\"{{v}}\">x</a>", "a@href", judges.url),
    Context("link, path behind", "<a href=\"{{v}}/x\">x</a>", "a@href", judges.any_url),
    Context("link, query behind", "<a href=\"{{v}}?x={{v}}\">x</a>", "a@href", judges.any_url),
    Context("link, path", "<a href=\"/items/{{v}}\">x</a>", "a@href", judges.same_origin),
    Context("link, host and path", "<a href=\"https://page.example/{{v}}\">x</a>", "a@href", judges.same_origin),
    Context("link, relative path", "<a href=\"./{{v}}\">x</a>", "a@href", judges.same_origin),
    Context("link, lone slash", "<a href=\"/{{v}}\">x</a>", "a@href", judges.same_origin),
    Context("link, lone slash, twice", "<a href=\"/{{v}}{{v}}\">x</a>", "a@href", judges.same_origin),
    Context("link, lone slash and more", "<a href=\"/{{v}}/{{v}}\">x</a>", "a@href", judges.same_origin),
    Context("link, label of a host", "<a href=\"https://{{v}}.page.example/x\">x</a>", "a@href", judges.under_host),
    Context("link, part of a label", "<a href=\"//cdn-{{v}}.page.example/{{v}}\">x</a>", "a@href", judges.under_host),
    Context("link, host", "<a href=\"https://{{v}}/{{v}}\">x</a>", "a@href", judges.one_label),
    Context("link, port", "<a href=\"https://page.example:{{v}}/x\">x</a>", "a@href", judges.under_host),
    Context("link, segments", "<a href=\"/{{#list}}{{text}}/{{/list}}about\">x</a>", "a@href", judges.same_origin),
    Context("link, optional path", "<a href=\"https://page.example{{#v}}/{{v}}{{/v}}\">x</a>", "a@href", judges.same_origin),
    Context("link, query", "<a href=\"/s?a=1&amp;q={{v}}&amp;z=2#f\">x</a>", "a@href", judges.Query("q", a="1", z="2")),
    Context("link, only a query", "<a href=\"?q={{v}}\">x</a>", "a@href", judges.Query("q")),
    Context("link, fragment", "<a href=\"/s#{{v}}\">x</a>", "a@href", judges.fragment),
    Context("link to mail", "<a href=\"mailto:{{v}}\">x</a>", "a@href", judges.mail),
    Context("image", "<img src=\"{{v}}\" alt=\"\">", "img@src", judges.url),
    Context("image, path", "<img src=\"/img/{{v}}.png\" alt=\"\">", "img@src", judges.same_origin),
    Context("form", "<form action=\"{{v}}\"><button>x</button></form>", "form@action", judges.url),
    Context("button", "<form><button formaction=\"{{v}}\">x</button></form>", "button@formaction", judges.own_origin),
    Context("quote", "<blockquote cite=\"{{v}}\">x</blockquote>", "blockquote@cite", judges.url),
    Context("poster", "<video poster=\"{{v}}\"></video>", "video@poster", judges.url),
    Context("data url", "<p data-src=\"{{v}}\">x</p>", "p@data-src", judges.url),
    Context("svg link", "<svg><a href=\"{{v}}\"><text>x</text></a></svg>", "a@href", judges.url),
    Context("svg link, old name", "<svg><a xlink:href=\"{{v}}\"><text>x</text></a></svg>", "a@xlink:href", judges.url),
    Context("svg use", "<svg><use href=\"{{v}}\"></use></svg>", "use@href", judges.same_document),
    Context("svg use, static start", "<svg><use href=\"#{{v}}\"></use></svg>", "use@href", judges.fragment),
    Context("ping", "<a href=\"/x\" ping=\"{{v}}\">x</a>", "a@ping", judges.url_list),
    Context("srcset", "<img srcset=\"{{v}}\" alt=\"\">", "img@srcset", judges.source_set),
    Context("srcset, candidate", "<img srcset=\"/a.png 1x, {{v}} 2x\" alt=\"\">", "img@srcset", judges.source_set),
    Context("srcset, in parts", "<img srcset=\"{{v}}/{{v}} 1x\" alt=\"\">", "img@srcset", judges.SourceSetCount(1)),
    Context("srcset, query behind", "<img srcset=\"{{v}}?w=1 1x, /{{v}}/a 2x\" alt=\"\">", "img@srcset", judges.SourceSetCount(2)),
    Context("srcset, path", "<img srcset=\"/a/{{v}} 1x\" alt=\"\">", "img@srcset", judges.SourceSetCount(1)),
    Context("srcset, descriptor", "<img srcset=\"/a.png {{v}}, /b.png 3x\" alt=\"\">", "img@srcset", judges.SourceSetPaths("/a.png", "/b.png")),
    Context("style", "<p style=\"color: {{v}}; width: 1px\">x</p>", "p@style", judges.Style("color", "width")),
    Context("style, part of a value", "<p style=\"width:{{v}}px;height:{{v}}%\">x</p>", "p@style", judges.Style("width", "height")),
    Context("style, function", "<p style=\"color: rgb({{v}}, 1, 2); width: calc({{v}} + 1px)\">x</p>", "p@style", judges.StyleLoading("color", "width")),
    Context("style, url", "<p style=\"cursor: url({{v}}); width: 1px\">x</p>", "p@style", judges.StyleLoading("cursor", "width")),
    Context("style, url in quotes", "<p style=\"cursor: url('{{v}}'); width: 1px\">x</p>", "p@style", judges.StyleLoading("cursor", "width")),
    Context("style, path in a url", "<p style='cursor: url(\"/a/{{v}}.png\"); width: 1px'>x</p>", "p@style", judges.StyleLoading("cursor", "width")),
    Context("json", "<script type=\"application/json\">{{v}}</script>", "script", judges.json_value),
    Context("json in parts", "<script type=\"application/ld+json\">{\"a\": [{{v}}, 1]}</script>", "script", judges.json_member),
    Context("hx-get", "<div hx-get=\"{{v}}\">x</div>", "div@hx-get", judges.own_origin),
    Context("hx-get, path", "<div hx-get=\"/items/{{v}}\">x</div>", "div@hx-get", judges.same_origin),
    Context("hx-get, lone slash", "<div data-hx-post=\"/{{v}}\">x</div>", "div@data-hx-post", judges.same_origin),
    Context("stream of events", "<div data-sse-connect=\"{{v}}\">x</div>", "div@data-sse-connect", judges.own_origin),
    Context("text behind a fallback", "<noscript><img src=\"/a\" alt=\"\"></noscript><p title=\"{{v}}\">x</p>", "p@title", judges.attribute),
    Context("text behind a title", "<title><img src=\"x></title><p title=\"{{v}}\">x</p>", "p@title", judges.attribute),
    Context("comment", "<p>x<!-- {{v}} -->y</p>", "p", judges.Constant("xy")),
    nib("outlet", "<p data-cell=\"context\" data-outlet=\"v\">design</p>", "p", judges.text),
    nib("outlet, inner", "<div data-cell=\"context\"><p data-outlet=\"v\">design</p></div>", "p", judges.text),
    nib("outlet, image", "<p data-cell=\"context\"><img data-outlet=\"v\" src=\"d.png\" alt=\"\"></p>", "img@src", judges.url),
    nib("outlet, input", "<p data-cell=\"context\"><input data-outlet=\"v\" value=\"d\"></p>", "input@value", judges.attribute),
    nib("outlet, textarea", "<p data-cell=\"context\"><textarea data-outlet=\"v\">d</textarea></p>", "textarea", judges.text),
    nib("outlet, json", "<p data-cell=\"context\"><script type=\"application/json\" data-outlet=\"v\">{}</script></p>", "script", judges.json_value),
    nib("bound link", "<p data-cell=\"context\"><a data-outlet=\"o\" data-bind=\"href\" href=\"d\">x</a></p>", "a@href", judges.url),
    nib("bound title", "<p data-cell=\"context\"><a data-outlet=\"o\" data-bind=\"title\" title=\"d\">x</a></p>", "a@title", judges.attribute),
    nib("bound classes", "<p data-cell=\"context\"><b data-outlet=\"o\" data-bind=\"class\">x</b></p>", "b@class", judges.attribute),
    nib("outlet, object with text", "<p data-cell=\"context\"><b data-outlet=\"t\">d</b></p>", "b", judges.text),
    nib("outlet, list", "<p data-cell=\"context\"><b data-outlet=\"list\">d</b></p>", "b", judges.text),
    nib("outlet, owner of a name", "<p data-cell=\"context\"><b data-outlet=\"o.title\">d</b></p>", "b", judges.text),
    nib("outlet, pre", "<div data-cell=\"context\"><pre data-outlet=\"v\">d</pre></div>", "pre", judges.text),
    nib("outlet, option", "<select data-cell=\"context\"><option data-outlet=\"v\">d</option></select>", "option", judges.text),
    nib("outlet, button", "<p data-cell=\"context\"><button data-outlet=\"v\">d</button></p>", "button", judges.text),
    nib("outlet, svg", "<svg data-cell=\"context\"><text data-outlet=\"v\">d</text></svg>", "text", judges.text),
    nib("outlet, source", "<video data-cell=\"context\"><source data-outlet=\"v\" src=\"/d\"></video>", "source@src", judges.url),
    nib("outlet, hidden input", "<p data-cell=\"context\"><input type=\"hidden\" data-outlet=\"v\"></p>", "input@value", judges.attribute),
    nib("tag", "<p data-cell=\"context\"><b data-tag=\"7\">d</b></p>", "b", judges.text),
    nib("tag, image", "<p data-cell=\"context\"><img data-tag=\"7\" src=\"/d\" alt=\"\"></p>", "img@src", judges.url),
    nib("tag, input", "<p data-cell=\"context\"><input data-tag=\"7\" value=\"d\"></p>", "input@value", judges.attribute),
    nib("tag, textarea", "<p data-cell=\"context\"><textarea data-tag=\"7\">d</textarea></p>", "textarea", judges.text),
    nib("tag, table cell", "<table data-cell=\"context\"><tbody><tr><td data-tag=\"7\">d</td></tr></tbody></table>", "td", judges.text),
    nib("bound link, as designed before", "<p data-cell=\"context\"><a title=\"t\" data-outlet=\"o\" data-bind=\"href\" class=\"c\">x</a></p>", "a@href", judges.url),
    nib("bound classes, several", "<p data-cell=\"context\"><b data-outlet=\"classes\" data-bind=\"class\">x</b></p>", "b@class", judges.Token(judges.attribute, "a", "b")),
    nib("entry link", "<p data-cell=\"context\"><a data-bind=\"href:v\" href=\"d\">x</a></p>", "a@href", judges.url),
    nib("entry link, not drawn", "<p data-cell=\"context\"><a data-bind=\"href:v\">x</a></p>", "a@href", judges.url),
    nib("entry link, path", "<p data-cell=\"context\"><a data-bind=\"href:'/items/{v}'\">x</a></p>", "a@href", judges.same_origin),
    nib("entry link, lone slash and more", "<p data-cell=\"context\"><a data-bind=\"href:'/{v}/{v}'\">x</a></p>", "a@href", judges.same_origin),
    nib("entry link, path behind", "<p data-cell=\"context\"><a data-bind=\"href:'{v}/x'\">x</a></p>", "a@href", judges.any_url),
    nib("entry link, label of a host", "<p data-cell=\"context\"><a data-bind=\"href:'https://{v}.page.example/x'\">x</a></p>", "a@href", judges.under_host),
    nib("entry link, query", "<p data-cell=\"context\"><a data-bind=\"href:'/s?a=1&amp;q={v}&amp;z=2#f'\">x</a></p>", "a@href", judges.Query("q", a="1", z="2")),
    nib("entry title", "<p data-cell=\"context\"><b data-bind=\"title:v\">x</b></p>", "b@title", judges.attribute),
    nib("entry title in parts", "<p data-cell=\"context\"><b data-bind=\"title:'a {v} &quot;b'\">x</b></p>", "b@title", judges.Parts(judges.attribute, "a ", " \"b")),
    nib("entry token", "<p data-cell=\"context\"><b class=\"a\" data-bind=\"class+:v; class.b:v!=zzz\">x</b></p>", "b@class", judges.Token(judges.attribute, "a", "b")),
    nib("entry token in parts", "<p data-cell=\"context\"><b class=\"a\" data-bind=\"class+:'is-{v}'\">x</b></p>", "b@class", judges.Parts(judges.attribute, "a is-", "")),
    nib("entry style", "<p data-cell=\"context\"><b style=\"color: red; width: 1px\" data-bind=\"style.color:v\">x</b></p>", "b@style", judges.Style("color", "width")),
    nib("entry style, not drawn", "<p data-cell=\"context\"><b style=\"width: 1px\" data-bind=\"style.color:v\">x</b></p>", "b@style", judges.Style("width", "color")),
    nib("entry style in parts", "<p data-cell=\"context\"><b data-bind=\"style.width:'{v}px'; style.height:'{v}%'\">x</b></p>", "b@style", judges.Style("width", "height")),
    nib("entry style, url", "<p data-cell=\"context\"><b data-bind=\"style.cursor:'url({v})'; style.width:'1px'\">x</b></p>", "b@style", judges.StyleLoading("cursor", "width")),
    nib("entry srcset", "<p data-cell=\"context\"><img alt=\"\" data-bind=\"srcset:'{v}/{v} 1x'\"></p>", "img@srcset", judges.SourceSetCount(1)),
    nib("entry ping", "<p data-cell=\"context\"><a href=\"/x\" data-bind=\"ping:v\">x</a></p>", "a@ping", judges.url_list),
    nib("entry hx-get", "<p data-cell=\"context\"><b data-bind=\"hx-get:v\">x</b></p>", "b@hx-get", judges.own_origin),
    nib("entry svg use", "<svg data-cell=\"context\"><use data-bind=\"href:v\"></use></svg>", "use@href", judges.same_document),
    nib("included cell", "<p data-cell=\"context\"><b data-outlet=\"v\" data-include=\"inner\">x</b></p><template data-cell=\"inner\"><i title=\"{{.}}\">y</i></template>", "i@title", judges.attribute),
    nib("bound image", "<p data-cell=\"context\"><img data-outlet=\"o\" data-bind=\"src\" src=\"/d\" alt=\"\"></p>", "img@src", judges.url),
    nib("bound image, text", "<p data-cell=\"context\"><img data-outlet=\"o\" data-bind=\"alt\" src=\"/d\" alt=\"d\"></p>", "img@alt", judges.attribute),
    nib("bound srcset", "<p data-cell=\"context\"><img data-outlet=\"o\" data-bind=\"srcset\" src=\"/d\" alt=\"\"></p>", "img@srcset", judges.source_set),
    nib("bound form", "<div data-cell=\"context\"><form data-outlet=\"o\" data-bind=\"action\"><button>x</button></form></div>", "form@action", judges.url),
    nib("bound quote", "<p data-cell=\"context\"><q data-outlet=\"o\" data-bind=\"cite\">x</q></p>", "q@cite", judges.url),
    nib("bound ping", "<p data-cell=\"context\"><a href=\"/x\" data-outlet=\"o\" data-bind=\"ping\">x</a></p>", "a@ping", judges.url_list),
    nib("bound value", "<p data-cell=\"context\"><input type=\"checkbox\" data-outlet=\"o\" data-bind=\"value\"></p>", "input@value", judges.attribute),
    nib("bound id", "<p data-cell=\"context\"><b data-outlet=\"o\" data-bind=\"id\">x</b></p>", "b@id", judges.attribute),
    nib("bound data", "<p data-cell=\"context\"><b data-outlet=\"o\" data-bind=\"data-note\" data-note=\"d\">x</b></p>", "b@data-note", judges.attribute),
    nib("bound data url", "<p data-cell=\"context\"><b data-outlet=\"o\" data-bind=\"data-src\">x</b></p>", "b@data-src", judges.url),
    nib("bound aria", "<p data-cell=\"context\"><b data-outlet=\"o\" data-bind=\"aria-label\">x</b></p>", "b@aria-label", judges.attribute),
    nib("bound hx-get", "<p data-cell=\"context\"><b data-outlet=\"o\" data-bind=\"hx-get\">x</b></p>", "b@hx-get", judges.own_origin),
    nib("bound svg link", "<svg data-cell=\"context\"><a data-outlet=\"o\" data-bind=\"href\"><text>x</text></a></svg>", "a@href", judges.url),
    nib("style in an outlet", "<p data-cell=\"context\"><b data-outlet=\"o\" style=\"color: {{style}}; width: 1px\">x</b></p>", "b@style", judges.Style("color", "width")),
    nib("query in an outlet", "<p data-cell=\"context\"><b data-outlet=\"o\"><a href=\"/s?q={{href}}\">x</a></b></p>", "a@href", judges.Query("q")),
    nib("link in an outlet", "<p data-cell=\"context\"><b data-outlet=\"o\"><a href=\"{{href}}\">x</a></b></p>", "a@href", judges.url),
]

# Proves that the judges see what is wrong: nothing is escaped here.
CONTROL = Context("control", "{{! raw: allow }}\n<p>{{{v}}}</p>", "p", judges.text)
