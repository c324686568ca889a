/** The script of every page, in its head: behaviour/script.ts as next.config.ts bundles it. */
export function SiteScript({ nonce }: { nonce: string }) {
  // biome-ignore lint/style/noProcessEnv: replaced by the text when the site is built
  const html = { __html: process.env.SITE_SCRIPT ?? '' }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, which no data reaches
  return <script dangerouslySetInnerHTML={html} nonce={nonce} suppressHydrationWarning />
}
