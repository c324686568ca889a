/** The plain JavaScript version of node:events; the slash avoids node's own module. */
declare module 'events/' {
  const EventEmitter: { prototype: object }
  // biome-ignore lint/style/noDefaultExport: the package's own form
  export default EventEmitter
}
