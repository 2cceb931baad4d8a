/** The least that Electron does: one window with one word in it. */
const { app, BrowserWindow } = require('electron')

app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 800 })
  void window.loadURL('data:text/html,<title>empty</title><p>empty</p>')
})
