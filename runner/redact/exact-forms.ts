/**
 * Every way a known secret may be written down: raw, JSON-escaped, URL-encoded, hexadecimal, base64 and base64url (alone or
 * inside something longer, so at three alignments). Forms under 8 characters are left out: they would hit honest text.
 */
export function exactForms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => alignedBase64(bytes, offset)),
  ]
  return [...new Set(forms)].filter((form) => form.length >= 8).sort((a, b) => b.length - a.length)
}

/** Base64 of the secret behind `offset` unknown bytes, without the characters that its neighbours decide as well. */
function alignedBase64(bytes: Buffer, offset: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
  const first = [0, 2, 3][offset] as number
  const last = Math.floor((whole.length * 8) / 6)
  const text = whole.toString('base64').slice(first, last)
  return [text, text.replaceAll('+', '-').replaceAll('/', '_'), text.replaceAll('/', '\\/')]
}
