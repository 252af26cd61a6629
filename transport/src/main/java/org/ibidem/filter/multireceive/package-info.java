/// Several senders, one receiver: `multireceive`, the top of the receiving side.
package org.ibidem.filter.multireceive;
