/** The plain JavaScript twin of node:events; the slash keeps node's own from being taken. */
declare module 'events/' {
  const EventEmitter: { prototype: object }
  // biome-ignore lint/style/noDefaultExport: the package's own form
  export default EventEmitter
}
