/// Messages whole or not at all, over what may lose frames: `whole`.
package org.ibidem.filter.whole;
