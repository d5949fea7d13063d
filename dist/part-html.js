export{n as renderHtml}from"./part-html2.js";
