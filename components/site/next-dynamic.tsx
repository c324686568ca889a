import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

type Options = { ssr?: boolean; loading?: () => ReactNode }

/** Replaces `next/dynamic` in pages without a server: loads the component after the page is rendered. */
// biome-ignore lint/style/noDefaultExport: like Next's.
export default function dynamic<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading }: Options = {},
) {
  // biome-ignore lint/correctness/noComponentHookFactories: called once per module, at the top level.
  return function Loaded(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null)
    useEffect(() => void load().then((component) => setLoaded(() => component)), [])
    return Loaded ? <Loaded {...props} /> : (loading?.() ?? null)
  }
}
