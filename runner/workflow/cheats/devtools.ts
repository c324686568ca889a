import CDP from 'chrome-remote-interface'
import type { World } from './cheat.ts'

export type Devtools = {
  send: (method: string, params?: object, sessionId?: string) => Promise<Record<string, unknown>>
  on: (name: string, listener: (params: Record<string, unknown>) => void) => void
  /** A session of the first page. */
  page: string
  /** What a script in the page came to, as text. */
  inPage: (script: string) => Promise<string>
}

/** The browser as its library may drive it. */
export async function openDevtools({ port }: Pick<World, 'port'>): Promise<Devtools> {
  const { webSocketDebuggerUrl } = await CDP.Version({ port })
  const client = await CDP({ target: webSocketDebuggerUrl, local: true })
  const send = client.send.bind(client) as unknown as Devtools['send']
  const { targetInfos } = (await send('Target.getTargets')) as {
    targetInfos: { targetId: string; type: string }[]
  }
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId
  const attached = await send('Target.attachToTarget', { targetId, flatten: true })
  const page = attached.sessionId as string
  const inPage = async (expression: string) => {
    const answer = (await send(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      page,
    )) as { result: { value?: unknown }; exceptionDetails?: { text: string } }
    return answer.exceptionDetails ? answer.exceptionDetails.text : String(answer.result.value)
  }
  return {
    send,
    on: (name, listener) =>
      void client.on(name, (params) => listener(params as Record<string, unknown>)),
    page,
    inPage,
  }
}

/** Opens an address in the page and waits until it is there. */
export async function openPage({ send, page, inPage }: Devtools, url: string): Promise<void> {
  await send('Page.enable', {}, page)
  await send('Page.navigate', { url }, page)
  for (let round = 0; round < 100; round++) {
    if ((await inPage('document.readyState')) === 'complete') return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
