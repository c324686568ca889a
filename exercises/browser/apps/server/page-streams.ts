import type { ServerResponse } from 'node:http'

const MOST_STREAMS = 20

/** The open pages of a tenant that listen at `/events`. */
export type PageStreams = {
  open: (response: ServerResponse) => void
  send: (event: string, data: unknown) => void
  count: () => number
  close: () => void
}

export function createPageStreams(): PageStreams {
  const streams = new Set<ServerResponse>()
  return {
    open: (response) => {
      const [oldest] = streams
      if (streams.size >= MOST_STREAMS && oldest) oldest.destroy()
      streams.add(response)
      response.on('close', () => streams.delete(response))
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
      })
      response.write('retry: 1000\n\n')
    },
    send: (event, data) => {
      const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
      for (const stream of streams) stream.write(text)
    },
    count: () => streams.size,
    close: () => {
      for (const stream of streams) stream.destroy()
      streams.clear()
    },
  }
}
