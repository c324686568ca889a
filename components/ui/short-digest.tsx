/** The first 12 hex digits; hovering shows the whole digest. */
export function ShortDigest({ digest }: { digest: string }) {
  return (
    <code className="text-xs" title={digest}>
      {digest.replace(/^sha256:/, '').slice(0, 12)}
    </code>
  )
}
