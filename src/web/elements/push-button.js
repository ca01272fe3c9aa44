/** Lets this browser show notices. Browsers that cannot do so show the text beside it. */
class PushButton extends HTMLElement {
  async connectedCallback() {
    const [button, status] = [this.querySelector('button'), this.querySelector('[role=status]')]
    if (!('serviceWorker' in navigator && 'PushManager' in window)) return
    const { pushManager } = await navigator.serviceWorker.register('/venue/worker.js')
    button.hidden = false
    this.querySelector('.quiet').hidden = true
    button.addEventListener('click', async () => {
      const isOn = await this.subscribe(pushManager).catch(() => false)
      status.textContent = isOn ? this.dataset.on : this.dataset.failed
      button.hidden = isOn
    })
  }

  async subscribe(pushManager) {
    // One that was made with an earlier key of the network cannot be used.
    await (await pushManager.getSubscription())?.unsubscribe()
    const options = { userVisibleOnly: true, applicationServerKey: this.dataset.key }
    const subscription = JSON.stringify(await pushManager.subscribe(options))
    const body = new URLSearchParams({ subscription })
    return (await fetch(this.dataset.action, { method: 'POST', body })).ok
  }
}

customElements.define('push-button', PushButton)
