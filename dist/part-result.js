var e=1;export{e as t};
