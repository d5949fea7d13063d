export{t as estimate}from"./part-estimate2.js";
