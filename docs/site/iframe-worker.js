// Browsers start no worker in a page that was opened from disk. There, this stands in for Worker: the script runs in a
// hidden frame of the page instead, and messages go back and forth as events.
if (location.protocol === 'file:') {
  window.Worker = class FrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement('iframe');
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = data => {
        const event = new MessageEvent('message', {data});
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      inside.importScripts = (...urls) =>
          urls.reduce((before, next) => before.then(() => this.load(new URL(next, url).href)), Promise.resolve());
      this.ready = this.load(new URL(url, location.href).href);
    }

    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.frame.contentDocument.createElement('script');
        script.src = url;
        script.onload = resolve;
        script.onerror = reject;
        this.frame.contentDocument.body.append(script);
      });
    }

    postMessage(data) {
      this.ready.then(() => {
        const inside = this.frame.contentWindow;
        const event = new inside.MessageEvent('message', {data});
        inside.dispatchEvent(event);
      });
    }

    terminate() {
      this.frame.remove();
    }
  };
}
