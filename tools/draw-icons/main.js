/** The part of tools/icons.mjs that runs in Electron: one canvas a size. */
import fs from 'node:fs'
import path from 'node:path'
import { app, BrowserWindow } from 'electron/main'

const SIZES = [16, 24, 32, 48, 64, 128, 256, 512]
const build = path.resolve(import.meta.dirname, '../../build')

app.whenReady().then(async () => {
  const drawing = fs.readFileSync(path.join(build, 'icon.svg'), 'base64')
  const window = new BrowserWindow({ show: false })
  await window.loadURL('data:text/html,<title>icons</title>')
  for (const size of SIZES) {
    const png = await window.webContents.executeJavaScript(`(async () => {
      const image = new Image(${size}, ${size})
      image.src = 'data:image/svg+xml;base64,${drawing}'
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = ${size}
      canvas.getContext('2d').drawImage(image, 0, 0, ${size}, ${size})
      return canvas.toDataURL('image/png').split(',')[1]
    })()`)
    fs.writeFileSync(path.join(build, 'icons', `${size}x${size}.png`), Buffer.from(png, 'base64'))
  }
  app.quit()
})
