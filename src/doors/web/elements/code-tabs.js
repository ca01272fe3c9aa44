customElements.define('code-tabs', class extends HTMLElement {})
