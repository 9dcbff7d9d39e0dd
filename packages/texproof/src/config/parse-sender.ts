/** Who letters are from: one address, `Papers <papers@uni.example>` or bare; null for anything else. */
export function parseSender(text: string): string | null {
  const trimmed = text.trim()
  const address = /^(?:[^\p{Cc}<>@,;"]{1,100} <([^\s<>@,;]+@[^\s<>@,;]+)>|[^\s<>@,;]+@[^\s<>@,;]+)$/u.exec(trimmed)
  return address === null ? null : trimmed
}
