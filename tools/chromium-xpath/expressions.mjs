// The hand-picked questions, asked of every sampled page with the document as context. One idea a line; what is an
// error in Chromium must be an error here too.

const lines = (text) => text.split('\n').map((line) => line.trim()).filter((line) => line && !line.startsWith('## '));

export const xpathExpressions = lines(String.raw`
## Absolute and abbreviated paths
/
/html
/html/body
/html/head/title
/html/head/title/text()
/html/body/*
/html/body/*[1]
/html/body/*[last()]
/html/body/node()
/node()
/comment()
/text()
/*
/*/*
/*/*/*
//*
//node()
//text()
//comment()
//processing-instruction()
//processing-instruction('xml')
//@*
//a
//a/@href
//div[@class]//a/@href
//img/@src
//*[@id]
//*[@class]/@class
//@id/..
//@class/../@id
//li/a
//li//a
//ul/li
//ul/li[1]
//ul/li[last()]
//ul/li[position() = 2]
//ul/li[position() < 3]
//ul/li[position() mod 2 = 0]
//table//tr
//table/tbody/tr/td
//tr/td[2]
//tr[td]/td[1]
//tr[1]/td | //tr[1]/th
//p[1]
//p[last()]
(//p)[1]
(//p)[last()]
(//p)[position() = last() - 1]
(//a)[10]
(//a)[10]/ancestor::div[1]
(//a)[3]/following::a[1]
(//a)[3]/preceding::a[1]
.
./html
..
./..
self::node()
self::*
.//a[1]
./descendant::a[1]
//.
//..
//./a
//a/.
//a/..
//a/../..
//div/./p
/html/..
/html/../html/body
## Every axis, forwards and backwards
/child::html/child::body
/descendant::div
/descendant::div[1]
/descendant::div[5]
/descendant-or-self::node()/child::p[1]
/descendant-or-self::div
//a/ancestor::*
//a/ancestor::div
//a/ancestor::div[1]
//a/ancestor::div[last()]
//a/ancestor::*[2]
//a/ancestor-or-self::*[1]
//a/ancestor-or-self::node()
//a/parent::*
//a/parent::li
//a/parent::node()
//li/following-sibling::li
//li/following-sibling::li[1]
//li/following-sibling::*[last()]
//li/preceding-sibling::li
//li/preceding-sibling::li[1]
//li/preceding-sibling::*[last()]
//h1/following::*
//h1/following::p[1]
//h1/following::text()[2]
//h2[1]/preceding::*
(//h2)[last()]/preceding::*[3]
(//form)[1]/preceding::node()[1]
(//form)[1]/following::node()[1]
//a/attribute::href
//a/attribute::*
//a/attribute::node()
//a/@*[1]
//a/@*[last()]
//a/@node()
//a/@text()
//a/@comment()
//a/self::a
//a/self::div
//a/self::node()
//a/namespace::*
/namespace::node()
//@href/parent::a
//@href/parent::*
//@href/ancestor::div[1]
//@href/ancestor-or-self::node()
//@href/self::node()
//@href/self::href
//@href/self::*
//@href/following::a[1]
//@href/preceding::a[1]
//@href/child::node()
//@href/descendant-or-self::node()
//@href/following-sibling::node()
//@class/preceding-sibling::node()
//@href/@href
//@href/text()
//text()/parent::*
//text()/..
//text()/ancestor::*[1]
//text()[1]/following-sibling::node()[1]
//text()/preceding-sibling::*[1]
//comment()/following-sibling::*[1]
//comment()/preceding::comment()[1]
//text()/child::node()
//text()/descendant-or-self::text()
//title/ancestor::node()
//body/preceding-sibling::*
//body/following-sibling::node()
/following::node()
/preceding::node()
/following-sibling::node()
/ancestor::node()
/ancestor-or-self::node()
/parent::node()
/attribute::*
/self::html
/self::node()
## Positions and predicates
//div[1]
//div[1][1]
//div[2][1]
//div[position() = 1]
//div[last()]
//div[last() - 1]
//div[1.5]
//div[0]
//div[-1]
//div["1"]
//div['']
//div['x']
//div[true()]
//div[false()]
//div[1 = 1]
//div[number('1')]
//div[string('1')]
//div[position()]
//div[last()][1]
//div[@class][2]
//div[2][@class]
//div[@class and @id]
//div[@class or @id]
//div[not(@class)]
//div[not(@class) and not(@id)]
//div[p]
//div[p][a]
//div[.//a]
//div[count(.//a) > 5]
//div[count(*) = 1]
//div[count(*) = 0]
//div[a/@href]
//div[a[img]]
//div[a[img[@src]]]
//div[*[1]/*[1]]
//div[*[last()]/self::p]
//*[self::h1 or self::h2 or self::h3]
//*[self::h1 | self::h2]
//*[count(ancestor::*) = 4]
//*[count(preceding-sibling::*) = 2]
//*[not(*)]
//*[not(node())]
//*[not(text())]
//*[*][last()]
//*[position() = last()]
//*[last() = 1]
//ul/li[position() = last()]/a[1]/@href
//ul[li[3]]/li[3]
//ancestor::div[1]
//a[ancestor::ul]
//a[ancestor::li][1]
//a[not(ancestor::li)]
//a[following-sibling::a]
//a[preceding-sibling::a][1]
//a[../../ul]
//li[position() > 1 and position() < last()]
(//div)[1]
(//div)[@class][1]
(//div[@class])[1]
(//div | //p)[1]
(//div | //p)[last()]
(//p | //div)[2]
(//ancestor::div)[1]
(//a/ancestor::*)[1]
(//a/ancestor::*)[last()]
(//a/preceding::*)[1]
(//li/preceding-sibling::li)[1]
(//a)[position() mod 10 = 1]
(//li)[2]/ancestor::*[position() < 3]
((//a)[2] | (//a)[1])[1]
(//a[1])[2]
(//*[@class])[3]/preceding::*[2]
(/html/body//a)[1]/@href
(//a/@href)[1]
(//@href | //@src)[3]
(//text())[5]
(//a)[1][1][1]
(//a)[1]/..//a[2]
## Unions
//h1 | //h2 | //h3
//a | //a
//a/@href | //img/@src
//a/@* | //a
//b | //strong | //i | //em
//title | /html | //body | /
//text() | //comment()
//a/text() | //a/*
//li/a | //li//a | //a
id('main') | id('content')
## Names and case
//A
//DIV[@CLASS]
//div[@CLASS]
//Div
//a/@HREF
//HTML
/HTML/BODY
//*[name() = 'a']
//*[name() = 'A']
//*[local-name() = 'div']
//*[local-name() = 'DIV']
//*[namespace-uri() = 'http://www.w3.org/1999/xhtml']
//*[namespace-uri() = 'http://www.w3.org/2000/svg']
//*[namespace-uri() = '']
//svg
//SVG
//path
//*[name() = 'svg']
//*[local-name() = 'svg']/*
//*[local-name() = 'path']/@d
//*[local-name() = 'linearGradient']
//lineargradient
//linearGradient
//use/@*
//@*[local-name() = 'href']
//@*[name() = 'xlink:href']
//@*[namespace-uri() = 'http://www.w3.org/1999/xlink']
//@*[starts-with(name(), 'data-')]
//@*[starts-with(name(), 'xml')]
//math
//template
//template/*
//noscript/*
//noscript//img
//tbody
//table/tr
//div-x
//_x
//a.b
//@data-id
//@xmlns
//@lang
//élan
name(//*)
name(//a)
name(//@href)
name(/)
name(//text())
name(//comment())
name(//nosuch)
local-name(//@*)
local-name(/)
namespace-uri(//a)
namespace-uri(//@href)
namespace-uri(/)
name()
local-name()
string()
//svg:svg
//svg:path
//svg:PATH
//svg:*
//svg:*/*
//svg:*[1]
//svg:a/@xlink:href
//@xlink:href
//@xlink:*
//@xml:lang
//@xml:*
//html:a
//html:A
//xhtml:div[1]
//html:*[svg:*]
//svg:a | //a
//math:mi
//math:*/html:*
/html:html/html:body
//svg:linearGradient
//svg:lineargradient
//svg:foreignObject/*
//svg:foreignObject//a
//self::svg:*
//svg:path/ancestor::svg:svg[1]
## Strings
string(//title)
string(//h1)
string(//a/@href)
string(//nosuch)
string(/)
string(//comment())
normalize-space(//title)
normalize-space(//body)
normalize-space(//nosuch)
normalize-space('  a  b ')
normalize-space(' a ')
string-length(//title)
string-length(/)
string-length(normalize-space(/))
string-length('')
string-length('ab')
string-length('日本語')
concat('a', 'b')
concat('a', 1, true())
concat(//title, '|', count(//a))
concat('"', "'")
concat(string(//a[1]), '-', string(//a[2]))
contains(//title, 'a')
contains('abc', '')
contains('', '')
contains('', 'a')
starts-with('abc', 'ab')
starts-with('abc', '')
starts-with('', 'a')
starts-with(//title, 'T')
substring-before('1999/04/01', '/')
substring-after('1999/04/01', '/')
substring-after('1999/04/01', '19')
substring-before('abc', 'x')
substring-after('abc', 'x')
substring-before('abc', '')
substring-after('abc', '')
substring-before(//title, ' ')
substring-after(//title, ' ')
substring('12345', 2, 3)
substring('12345', 2)
substring('12345', 1.5, 2.6)
substring('12345', 0, 3)
substring('12345', 0 div 0, 3)
substring('12345', 1, 0 div 0)
substring('12345', -42, 1 div 0)
substring('12345', -1 div 0, 1 div 0)
substring('12345', -1 div 0)
substring('12345', 0)
substring('12345', 7)
substring('12345', 2, -1)
substring('12345', 0.5)
substring('12345', 2.5, 1)
substring('日本語テスト', 2, 2)
substring(//title, 3, 5)
translate('bar', 'abc', 'ABC')
translate('--aaa--', 'abc-', 'ABC')
translate('aaa', 'aa', 'bc')
translate('aaa', 'a', '')
translate('日本', '日', '月')
translate(//title, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
//a[contains(@href, 'http')]
//a[starts-with(@href, '/')]
//a[starts-with(@href, '#')]
//a[contains(., 'a')]
//a[normalize-space() = '']
//a[normalize-space(.) = 'Home']
//a[string-length(.) > 20]
//a[string-length() > 20]
//a[. = //title]
//*[contains(concat(' ', normalize-space(@class), ' '), ' active ')]
//*[contains(@class, 'item')]
//*[contains(@class, 'a')][1]
//*[substring(@class, string-length(@class)) = 't']
//*[substring-after(@class, '-')]
//*[translate(@class, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = @class][position() < 20]
//text()[contains(., '$')]
//text()[normalize-space()]
//text()[not(normalize-space())]
//text()[string-length() > 100]
//text()[. = ' ']
//p/text()[1]
//p/text()[last()]
//p//text()
//br/following-sibling::text()[1]
//*[text() = 'a']
//*[text()]
//*[text()[contains(., 'e')]]
//script/text()
//style/text()
//comment()[contains(., 'if')]
## Numbers
1
1.5
.5
5.
-1
--1
---1
- 1
1 + 1
1+1
1 -1
1 - 1
3 - 2 - 1
2 * 3
2 + 3 * 4
(2 + 3) * 4
7 mod 3
-7 mod 3
7 mod -3
5.5 mod 2
1 mod 0
7 div 2
1 div 0
-1 div 0
0 div 0
0 div -1
-0
1 div -0
1 div 3
0.1 + 0.2
2 div 3 * 3
1000000 * 1000000
9007199254740993
123456789012345678901234567890
0.000001
number('1')
number(' 1 ')
number('1.')
number('.5')
number('-1')
number('- 1')
number('+1')
number('1e3')
number('0x10')
number('')
number(' ')
number('1 2')
number('-')
number('.')
number('-.5')
number('Infinity')
number('NaN')
number(true())
number(false())
number(//title)
number(//nosuch)
number()
number('1,000')
floor(2.5)
floor(-2.5)
floor(-0.5)
ceiling(2.5)
ceiling(-2.5)
ceiling(-0.5)
round(2.5)
round(-2.5)
round(-0.5)
round(0.5)
round(-0.2)
round(1.4999)
round(0 div 0)
round(1 div 0)
round(-1 div 0)
round(4503599627370497.5)
floor(1 div 0)
sum(//@width)
sum(//nosuch)
sum(//li)
sum(//td[number() = number()])
count(//a)
count(//*)
count(//node())
count(//@*)
count(//text())
count(//nosuch)
count(/)
count(//a | //a)
count(//a) + count(//img)
count(//a) div count(//li)
count(//a[@href]) = count(//a/@href)
-count(//a)
string(1)
string(1.5)
string(-1.5)
string(0.5)
string(-0)
string(1 div 0)
string(-1 div 0)
string(0 div 0)
string(100000)
string(count(//a))
string(1 div 3)
string(0.1 + 0.2)
string(1234567.891)
string(0.0000001)
string(100000000000000000000)
string(1 = 1)
last()
position()
position() = last()
## Booleans and comparisons
true()
false()
not(true())
not(1)
not(0)
not('')
not('false')
not(//nosuch)
not(//a)
boolean(1)
boolean(0)
boolean(-0)
boolean(0 div 0)
boolean('')
boolean('0')
boolean(//a)
boolean(//nosuch)
1 = 1
1 = 1.0
1 = '1'
1 = ' 1 '
'1' = '1.0'
1 = '1.0'
1 = true()
2 = true()
'a' = true()
'' = false()
0 = false()
1 != 2
0 div 0 = 0 div 0
0 div 0 != 0 div 0
1 < 2
2 <= 2
'1' < '2'
'10' < '9'
'a' < 'b'
true() > false()
1 < 2 < 3
3 > 2 > 1
1 = 1 = 1
2 = 2 = 1
1 or 0 and 0
0 and 1 div 0
1 and 2 or 0
//a = //a
//a != //a
//nosuch = //nosuch
//nosuch != //nosuch
//nosuch = ''
//nosuch = false()
//a = true()
//a != true()
true() = //a
//a = 'Home'
//a != 'Home'
'Home' = //a
//a > 0
//a < 0
0 < //a
//li >= 1
//nosuch > 0
//nosuch < 0
//a > //li
//a < //li
//a/@href = //link/@href
//a/@href = //a/@href
//img/@width = 1
//img/@width > 10
//img/@width > //img/@height
//a < true()
//nosuch < true()
//h1 = //title
//title = string(//title)
//*[@id = //@for]
//a[@href = //a[1]/@href]
//*[@width = @height]
//*[@class != 'x']
//*[not(@class = 'x')]
//*[@class > 1]
//td[. > 10]
//td[number(.) = number(.)]
## id() and lang()
id('main')
id('content')
id('nosuch')
id('main content header footer')
id(//@for)
id(//a/@href)
id('main')/..
id('content')//a
id('header')[1]/following::div[1]
id(1)
count(id(//@id))
id('')
id(' main ')
//*[lang('en')]
//*[lang('EN')]
//*[lang('en-us')]
//*[lang('ja')]
//*[lang('')]
lang('en')
## Spaces, quotes and names that look like operators
  //a
//a  
 / html / body 
//a [ 1 ]
// a / @ href
child :: html
//a[ @href ]
//a[@href='#']
//a[@href="#"]
//a[@title="it's"]
//div/div
//div//div
//div div 2
//div/div div 2
//div*2
//* * 2
count(//*)*2
//*[* and *]
//or
//and
//mod
//div | //or
/html/body or //mod
* or *
count(*) * count(*)
//a[1]or//b
//a[@href]and//b
1or 0
1 div 2div 2
-//a
--//nosuch
- - 1
//a|//b
//text
//comment
//node
//text/text()
//self
//a/self::self
//parent
//@text
//processing-instruction
## Errors
//
///a
//a[
//a]
//a[]
//a/
//a//
/html//
//a[1
(//a
//a)
()
''''
"
'
'abc
//a[@]
//@
@
//a/@href/
//a[@href=]
//a[=1]
1 +
+ 1
+1
1 1
a b
//a b
//a | 
| //a
//a || //b
1 | 2
'a' | //a
//a | 1
count(1)
count('a')
count()
count(//a, //b)
sum(1)
sum('a')
nosuch()
nosuch(1)
last(1)
position(1)
true(1)
not()
not(1, 2)
boolean()
concat()
concat('a')
contains('a')
contains('a', 'b', 'c')
starts-with('a')
substring('a')
substring('a', 1, 2, 3)
translate('a', 'b')
string(1, 2)
number(1, 2)
string-length(1, 2)
normalize-space(1, 2)
name(1)
name('a')
local-name('a')
namespace-uri(1)
id()
lang()
floor()
round(1, 2)
id('a', 'b')
nosuch::a
child::
child:a
a:b
a:*
//nosuch:path
//@nosuch:href
nosuch:*
*:a
x:f()
$x
$x/a
//a[$n]
//a[position() = $n]
1[1]
1/a
'a'/b
'a'[1]
(1)[1]
('a')/b
true()/a
true()[1]
string(//a)/b
(1 | 2)
text()()
text('a')
comment('a')
node('a')
processing-instruction(a)
processing-instruction('a', 'b')
//a.[1]
.[1]
..[1]
./.[1]
.a
..a
//a/..b
//...
/.
/..
/./
/@
/[1]
/ [1]
//[1]
/*[1]
a::b
@@href
@child::a
//@@id
//a[@href!]
//a[!@href]
1 ! 2
1 == 1
1 <> 2
1 =< 2
1 && 2
a & b
not 1
//a[not @href]
if (1) then 2 else 3
for $x in //a return $x
//a/string()
//a/count(*)
//a[1,2]
(//a, //b)
1 to 3
//a except //b
'a' eq 'b'
1 idiv 2
#
%
//#
//a#b
//a%
{1}
//a{1}
[1]
\a
//a\b
~
//1a
//-a
//.a
1a
1.2.3
..5
1..2
1.a
.
`).concat([
  '',
  ' ',
  '\t//a\n[\r1]\n',
  '//a[contains(., "\n")]',
  '//text()[contains(., "\u00a0")]',
  'normalize-space("\u00a0a\u00a0")',
  'number("\u00a01")',
  'string-length("\ud83d\ude00")',
  '//\u00a0a',
  "'\u00e9' = '\u00c9'",
]);

export const cssSelectors = lines(String.raw`
*
a
A
div
div a
div > a
div>a
div  >  a
h1 + *
h1 ~ *
li + li
li ~ li
a, b, strong
a,img
ul li a
ul > li > a
body > *
html > body
[href]
[class]
[id]
[HREF]
a[href]
a[href^="http"]
a[href^='/']
a[href$=".html"]
a[href*="www"]
a[href="#"]
[class~="active"]
[class|="nav"]
[lang|="en"]
[class=""]
[class^=""]
[class$=""]
[class*=""]
[class~=""]
[type=TEXT]
[type="text"]
[type="TEXT" i]
[type="text" s]
[type="TEXT" s]
[TYPE=text]
[rel=STYLESHEET]
[method=POST]
[method=post]
[id="MAIN"]
[id="MAIN" i]
[data-id]
[*|href]
[|href]
.active
.item
.Active
#main
#content
#MAIN
div.item
div#main
div.a.b
.clearfix, .clear, .row
:root
:root > *
:empty
p:empty
:first-child
:last-child
:only-child
:first-of-type
:last-of-type
:only-of-type
li:first-child
li:last-child
li:nth-child(2)
li:nth-child(odd)
li:nth-child(even)
li:nth-child(2n+1)
li:nth-child(3n)
li:nth-child(-n+3)
li:nth-child(n+2)
li:nth-child( 2n + 1 )
li:nth-child(+2)
li:nth-child(-2n+5)
li:nth-child(0)
li:nth-child(0n+1)
li:nth-child(n)
li:nth-last-child(1)
li:nth-last-child(2n)
li:nth-of-type(2)
a:nth-of-type(odd)
p:nth-last-of-type(1)
tr:nth-child(even) > td:nth-child(2)
:nth-child(2 of a)
:nth-child(odd of [class])
:nth-last-child(1 of li)
:nth-child(2 of a, img)
:nth-child(1 of :not(:first-child))
:not(div)
:not(div):not(a)
a:not([href])
a:not([href]):not([name])
li:not(:first-child)
:not(a, div, span)
:not(:is(a, div))
:not(:not(a))
:is(h1, h2, h3)
:is(ul, ol) > li
:where(ul, ol) li
:is(a, :nosuch)
:where(:nosuch)
:is()
div:has(a)
div:has(> a)
div:has(> p)
li:has(a img)
h2:has(+ p)
h2:has(~ p)
:has(> :first-child:last-child)
ul:has(li:nth-child(3))
div:not(:has(a))
div:has(a, img)
a:has(img):not([title])
:has(:has(a))
svg
svg *
svg path
path
linearGradient
lineargradient
SVG
math
template
template *
noscript img
tbody > tr
table > tr
:scope
:scope > body
*|a
*|*
|a
html|a
a:link
:disabled
:enabled
:checked
:required
:any-link
:lang(en)
:dir(ltr)
::before
a::first-line
:hover
:nosuch
:nth-child()
:nth-child(x)
:nth-child(2n + -1)
:nth-child(n of)
:not()
:has()
::nosuch
a >
> a
a > > b
a,
,a
a b,
.
#
.1a
#1a
.\31 a
a..b
[
[]
[a
a[href
a[href=]
a[href="x]
a[=x]
a[href==x]
a[href!=x]
a[href=x y]
a[href="x" z]
a:
a::
a:not(
a)
(a)
a { }
$
a$
1a
-a
--a
_a
\61
\61 b
\000061
.\.
@x
!a
a!
a/b
//a
a /* c */ b
/* c */ a
a/**/b
é
.é
a + + b
a ~ ~ b
a || b
a >> b
div:nth-child(1):nth-child(1)
*.item
*#main
*[href]
*:first-child
a:first-child:last-child
A.item
DIV > A
a:NOT([href])
li:Nth-Child(ODD)
li:FIRST-CHILD
`).concat(['', ' ', ' a ', '\ta\n>\nb', '\ufeffa', 'a\u00a0b']);
