/** Classifies lines by their first characters. Every pattern is anchored, so a test is cheap. */

const noticeStart =
  /^(?:LaTeX(?:3| Font)? (?:Warning|Info): |(?:Package|Class|Module) .{1,80}? (?:Warning|Info|Error): |LaTeX3? Error: |Overfull \\[hv]box|Underfull \\[hv]box|(?:Loose|Tight) \\[hv]box|Runaway (?:argument|definition|preamble|text)\?|Missing character: |pdfTeX (?:warning|error)|!pdfTeX error|luaotfload \| )/

const errorStart = /^(?:! |!pdfTeX error|!error: |!{20})/

const declarationStart = /^(?:(?:Package|File|Document Class|Language|Style option|Dictionary): |\\[A-Za-z@:_]+=\\)/

/** Every source of tokens but macros that TeX, e-TeX, XeTeX and LuaTeX name in the context of an error. */
const contextStart =
  /^<(?:\*|argument|every(?:cr|display|eof|hbox|job|math|par|vbox)|insert|inserted text|local|mark|output|read (?:\*|\d{1,3})|recently read|template|to be read again|write|XeTeXinterchartoks)> /

/** True where TeX, LaTeX or a package begins a message of its own. */
export function startsNotice(line: string): boolean {
  return noticeStart.test(line)
}

/** True where an error without a `file:line:` prefix may begin. */
export function startsBangError(line: string): boolean {
  return line.startsWith('!') && errorStart.test(line)
}

/** True for a line of an error's context that names a list of tokens: `<argument> …`. */
export function startsContext(line: string): boolean {
  return contextStart.test(line)
}

/** True for log lines of packages while they load; parentheses in them are text. */
export function startsDeclaration(line: string): boolean {
  return declarationStart.test(line)
}

/** True for `(package)      text`: the second and later lines of a package's message, even without text. */
export function isContinuation(line: string): boolean {
  return /^\([^()]{1,60}\) {2,}/.test(line)
}

/** Splits `file:line: text`; the caller decides whether `file` is one. Returns null for any other line. */
export function splitFileLine(line: string): { file: string; line: number; text: string } | null {
  const match = /^((?:[A-Za-z]:)?[^:]{1,400}?):([1-9]\d{0,8}): ?(.*)$/.exec(line)
  if (match === null) return null
  const [, file = '', number = '', text = ''] = match
  return { file, line: Number(number), text }
}
