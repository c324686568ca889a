import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

type Options = { ssr?: boolean; loading?: () => ReactNode }

/** What `next/dynamic` is in pages without a server: a component that is loaded after the page was drawn. */
// biome-ignore lint/style/noDefaultExport: as that of Next.
export default function dynamic<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading }: Options = {},
) {
  // biome-ignore lint/correctness/noComponentHookFactories: called once a module, at its top.
  return function Loaded(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null)
    useEffect(() => void load().then((component) => setLoaded(() => component)), [])
    return Loaded ? <Loaded {...props} /> : (loading?.() ?? null)
  }
}
