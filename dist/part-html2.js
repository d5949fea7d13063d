export{n as renderHtml}from"./part-html.js";
