import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

type Options = { ssr?: boolean; loading?: () => ReactNode }

/** Stands in for `next/dynamic` in pages without a server: loads the component after the page is drawn. */
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
