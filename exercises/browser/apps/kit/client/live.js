// Listens for what the server has to say to open pages.
;(() => {
  const events = new EventSource('/events')
  events.addEventListener('kit', ({ data }) => {
    const { file } = JSON.parse(data)
    const script = document.createElement('script')
    script.src = `/client/kit/${file}`
    document.head.append(script)
  })
  addEventListener('pagehide', () => events.close())
})()
